import { isObject, kindOf, nearest, type Problem, pointerTo } from '@signalbox/codec'
import type { UncheckedObject } from '../fields/field-problems.ts'
import type { OpenStorageEngine, StorageEngineModule } from '../storage/storage-engine.ts'

type Engines = { readonly [name: string]: StorageEngineModule }

/** Returns the problems of the key `storage`, which names one engine. */
export function storageProblems(engines: Engines, config: UncheckedObject, root: string): readonly Problem[] {
  const { storage } = config
  if (!isObject(storage)) return []
  const known = Object.keys(engines)
  const names = Object.keys(storage)
  const unknown = names.find(name => !known.includes(name))
  if (unknown !== undefined)
    return [
      {
        pointer: `/storage${pointerTo(unknown)}`,
        expected: nearest(unknown, known) ?? `one of ${known.join(', ')}`,
        actual: 'an unknown storage engine',
      },
    ]
  const [name] = names
  if (name === undefined || names.length > 1)
    return [{ pointer: '/storage', expected: 'one storage engine', actual: `${names.length}` }]
  const part = storage[name]
  if (!isObject(part)) return [{ pointer: `/storage/${name}`, expected: 'an object', actual: kindOf(part) }]
  return engines[name]!.problems(part, `/storage/${name}`, root)
}

/**
 * Returns the engine that the configuration selects, or else the one that environment variables select. Returns
 * undefined when the data is kept in files of the data directory.
 * @param config a configuration without problems
 */
export function selectedStorage(
  engines: Engines,
  { storage }: UncheckedObject,
  root: string,
  environment: NodeJS.ProcessEnv = process.env,
): OpenStorageEngine | undefined {
  for (const [name, engine] of Object.entries(engines)) {
    const part = isObject(storage) ? storage[name] : engine.fromEnvironment(environment)
    if (isObject(part)) return context => engine.open(part, root, context)
  }
  return undefined
}
