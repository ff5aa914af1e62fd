// Adds the counters for coverage to sources. Jest stores the result.
import { createScriptTransformer, shouldInstrument } from '@jest/transform'

/** Returns a function that returns the source of a file with counters in it, or undefined for a file that needs none. */
export async function counting(globalConfig, config) {
  const transformer = await createScriptTransformer(config)
  const options = { ...globalConfig, supportsStaticESM: true, supportsTopLevelAwait: true }
  return path =>
    shouldInstrument(path, globalConfig, config) ? transformer.transform(path, options).code : undefined
}
