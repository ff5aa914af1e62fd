import type { Family } from './plugin.ts'

/** The family that an event looks most like. */
export interface Resemblance {
  readonly family: string
  /** The fields that the event has in common with the family's events. */
  readonly found: readonly string[]
}

/** The family whose events have most of the event's fields; undefined when no family has any. */
export function resemblance(event: unknown, families: readonly Family[]): Resemblance | undefined {
  if (typeof event !== 'object' || event === null) return undefined
  let best: Resemblance | undefined
  for (const { name, keys } of families) {
    const found = keys.filter(key => Object.hasOwn(event, key))
    if (found.length > (best?.found.length ?? 0)) best = { family: name, found }
  }
  return best
}
