import middy from '@middy/core'

/** A handler of any family, invoked with its contender's arguments. */
export type Handler = (event: never, context: never) => unknown

/** The part of middy that is used here, with types that accept any event and any middy package. */
export interface Stack {
  use(middleware: unknown): Stack
  before(hook: unknown): Stack
  after(hook: unknown): Stack
  handler(handler: unknown): Handler
}

/**
 * Returns a middy stack without the timer for an early timeout, which takes most of the time of an empty
 * handler.
 */
export function stack(): Stack {
  return middy({ timeoutEarlyInMillis: 0 }) as unknown as Stack
}
