import { compile, type Problem, problems } from '@signalbox/codec'
import { closestFamily, type Drift } from '@signalbox/core/base'
import type { PlatformFamilies } from '@signalbox/platform-runtime/platform'

/** The result of checking an event against the contract. */
export type EventReport =
  | { readonly result: 'valid'; readonly family: string }
  /** The event is valid after a function's normalizer has corrected what `drift` lists. */
  | { readonly result: 'normalizable'; readonly family: string; readonly drift: readonly Drift[] }
  | {
      readonly result: 'invalid'
      readonly family: string
      readonly problems: readonly Problem[]
      readonly drift: readonly Drift[]
    }
  /**
   * No event family recognizes the event. `resembles` is the most similar family, `found` has the keys that the event
   * shares with events of that family, and `problems` says why it is not one of them.
   */
  | {
      readonly result: 'unknown'
      readonly resembles?: string
      readonly found: readonly string[]
      readonly problems: readonly Problem[]
      /** What a family says about the event, such as that the envelope of a batch is missing. */
      readonly advice?: string
    }

/**
 * Checks an event against the contract of its family, first unchanged, then normalized. Does not change the
 * event.
 */
export function checkEvent(event: unknown, families: PlatformFamilies): EventReport {
  const family = families.of(event)
  if (family === undefined) {
    const nearest = closestFamily(event, families.all)
    const advice = adviceAbout(event, families)
    if (nearest === undefined) return { result: 'unknown', found: [], problems: [], ...advice }
    const { name, event: codec } = families.all.find(({ name }) => name === nearest.family)!
    return {
      result: 'unknown',
      resembles: name,
      found: nearest.commonFields,
      problems: distinct(problems(codec, event)),
      ...advice,
    }
  }
  const accepts = compile(family.event)
  if (accepts(event)) return { result: 'valid', family: family.name }
  const normalized = structuredClone(event)
  const drift: Drift[] = []
  family.normalize(normalized, drift)
  if (accepts(normalized)) return { result: 'normalizable', family: family.name, drift }
  return {
    result: 'invalid',
    family: family.name,
    problems: distinct(problems(family.event, normalized)),
    drift,
  }
}

function adviceAbout(event: unknown, families: PlatformFamilies): { readonly advice?: string } {
  for (const { hint } of families.all) {
    const advice = hint?.(event)
    if (advice !== undefined) return { advice }
  }
  return {}
}

// Removes repeated problems. A codec that combines others may report the same problem twice.
function distinct(found: readonly Problem[]): Problem[] {
  const seen = new Set<string>()
  return found.filter(({ pointer, expected }) => {
    const key = `${pointer} ${expected}`
    return !seen.has(key) && seen.add(key)
  })
}
