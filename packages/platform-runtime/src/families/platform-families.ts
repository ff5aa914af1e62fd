import { compile } from '@signalbox/codec'
import type { PlatformFamily } from './platform-family.ts'
import type { Verdict } from './verdict.ts'

/** The families of all sources. */
export interface PlatformFamilies {
  readonly all: readonly PlatformFamily[]
  /** Returns the family that an event belongs to, even if the event is invalid. */
  readonly of: (event: unknown) => PlatformFamily | undefined
  /**
   * Returns the verdict on the payload that a function returned for this event. Returns undefined for an event that no
   * platform sends, because it breaks its contract or belongs to no family.
   */
  readonly verdict: (payload: string, event: unknown) => Verdict | undefined
}

/** Loads the families of these sources. */
export async function platformFamilies(
  modules: readonly { readonly family?: () => Promise<PlatformFamily> }[],
): Promise<PlatformFamilies> {
  const all = await Promise.all(modules.flatMap(({ family }) => family?.() ?? []))
  const of = (event: unknown) => all.find(family => family.recognizes(event))
  return {
    all,
    of,
    verdict(payload, event) {
      const family = of(event)
      if (family === undefined) return undefined
      const sent = structuredClone(event)
      family.normalize(sent)
      if (!compile(family.event)(sent)) return undefined
      return { family: family.name, ...family.verdict(payload, sent as never) }
    },
  }
}
