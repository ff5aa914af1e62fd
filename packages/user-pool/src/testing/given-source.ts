import { nearest } from '@signalbox/codec'
import { InvalidOptionError } from '@signalbox/core/base'
import {
  expectedSource,
  type KnownSource,
  knownSource,
  type Trigger,
  triggerNames,
} from '../contract/index.ts'

/**
 * Returns the row of the trigger source that a test names.
 * @param where the function that takes the source, such as `triggerEvent()`
 * @throws InvalidOptionError for an unknown source. Without it, tests in JavaScript, and tests whose types are removed
 * without a check, would fail at a place that does not show the mistake
 */
export function givenSource(where: string, source: unknown): KnownSource {
  const known = knownSource(source)
  if (known) return known
  throw new InvalidOptionError(`${where}: expected ${expectedSource(source)}, was ${JSON.stringify(source)}`)
}

/** Returns the trigger that a test names. @throws InvalidOptionError for an unknown trigger */
export function givenTrigger<T extends Trigger>(where: string, trigger: T): T {
  if (triggerNames.includes(trigger)) return trigger
  const meant = nearest(String(trigger), triggerNames)
  const hint = meant === undefined ? `: ${triggerNames.join(', ')}` : `; the nearest is ${meant}`
  throw new InvalidOptionError(`${where}: expected a trigger${hint}, was ${JSON.stringify(trigger)}`)
}
