import type { InvocationContext } from '@signalbox/core'

/** One event, what a function made of it, and what the platform concludes: a step of `npm run demo`. */
export interface Scene {
  /** The event in one line, for people. */
  readonly happens: string
  readonly event: unknown
  readonly handler: (event: unknown, context?: InvocationContext) => Promise<unknown>
  /** What the platform concludes from the payload, through the family's verdict function. */
  readonly conclude: (payload: string, event: unknown) => string
  /** The conclusion that has to come out. */
  readonly expected: string
}
