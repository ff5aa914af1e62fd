import { readFileSync } from 'node:fs'
import type { InvocationContext } from '@signalbox/core'

/** A step of `npm run demo`: an event, the function's payload, and the platform's verdict. */
export interface Scene {
  /** A description of the event in one line. */
  readonly happens: string
  readonly event: unknown
  readonly handler: (event: unknown, context?: InvocationContext) => Promise<unknown>
  /** Describes the platform's verdict on the payload. */
  readonly conclude: (payload: string, event: unknown) => string
  /** The expected description of the verdict. */
  readonly expected: string
}

/** Reads an event file. Its path is relative to `from`, the `import.meta.url` of a program. */
export function readEvent<Event = unknown>(from: string, file: string): Event {
  return JSON.parse(readFileSync(new URL(file, from), 'utf8'))
}
