import { isDeepStrictEqual } from 'node:util'
import type { Overflow } from './actions.ts'
import { type MailEvent, type MailResponse, responseSizeLimit } from './contract/index.ts'

/** What is known of a response because a builder made it. */
export interface Built {
  readonly event: MailEvent
  readonly overflow: Overflow
  /** The same as the builder holds it, until more is asked of it. */
  readonly copy: MailResponse
  /** Bytes of the response as JSON, at most. */
  readonly atMost: number
}

const known = new WeakMap<object, Built>()

/** Remembers how a builder made a response, so that it need not be checked twice. */
export function noteBuilt(response: MailResponse, built: Built): void {
  known.set(response, built)
}

/**
 * Whether a builder for this event made the response, nobody changed it since, and it is so short that it cannot
 * exceed the limit of its size: then it keeps the contract. Costs a fraction of checking it.
 */
export function isAsBuilt(response: object, event: MailEvent, overflow: Overflow): boolean {
  const built = known.get(response)
  return (
    built !== undefined &&
    built.event === event &&
    built.overflow === overflow &&
    built.atMost <= responseSizeLimit &&
    isDeepStrictEqual(response, built.copy)
  )
}
