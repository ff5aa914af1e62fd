import { readFileSync } from 'node:fs'
import type { InvocationContext } from '@signalbox/core'

/** One event, the function's payload, and the platform's conclusion: a step of `npm run demo`. */
export interface Scene {
  /** The event in one line, for people. */
  readonly happens: string
  readonly event: unknown
  readonly handler: (event: unknown, context?: InvocationContext) => Promise<unknown>
  /** The platform's conclusion from the payload, by the family's verdict function. */
  readonly conclude: (payload: string, event: unknown) => string
  /** The expected conclusion. */
  readonly expected: string
}

/** Returns an event file beside the program whose `import.meta.url` is given. */
export function readEvent<Event = unknown>(from: string, file: string): Event {
  return JSON.parse(readFileSync(new URL(file, from), 'utf8'))
}
