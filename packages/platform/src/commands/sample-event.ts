import { nearestName } from '@signalbox/platform-runtime'
import type { PlatformFamilies } from '@signalbox/platform-runtime/platform'

/** Functions that return valid sample events, by name. */
export type Samples = { readonly [name: string]: () => Promise<unknown> }

/** Returns the samples of all families. */
export function samplesOf({ all }: PlatformFamilies): Samples {
  return Object.assign({}, ...all.map(({ samples }) => samples))
}

/**
 * Returns a valid event that the platform could send.
 * @throws Error for an unknown name, with the most similar name
 */
export async function sampleEvent(name: string, samples: Samples): Promise<unknown> {
  if (Object.hasOwn(samples, name)) return samples[name]!()
  const meant = nearestName(name, Object.keys(samples))
  const hint = meant === undefined ? 'signalbox sample --list prints all names.' : `Did you mean ${meant}?`
  throw new Error(`There is no sample ${JSON.stringify(name)}. ${hint}`)
}
