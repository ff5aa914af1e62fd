import { compile } from '@signalbox/codec'
import type { Verdict } from '../invocation/verdict.ts'
import type { PlatformFamily } from './platform-family.ts'

/** The families of several sources. */
export interface PlatformFamilies {
  readonly all: readonly PlatformFamily[]
  /** The family that an event belongs to, valid or not. */
  readonly of: (event: unknown) => PlatformFamily | undefined
  /**
   * What the platform concludes from the payload of a function to which it sent this event. Undefined for an event
   * that breaks its contract or belongs to no family, which no platform sends.
   */
  readonly verdict: (payload: string, event: unknown) => Verdict | undefined
}

/** Loads what the sources know about their events. */
export async function platformFamilies(
  modules: readonly { readonly family: () => Promise<PlatformFamily> }[],
): Promise<PlatformFamilies> {
  const all = await Promise.all(modules.map(({ family }) => family()))
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
