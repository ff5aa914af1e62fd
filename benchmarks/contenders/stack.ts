import middy from '@middy/core'

/** A handler of any family, invoked with its contender's arguments. */
export type Handler = (event: never, context: never) => unknown

/** As much of middy as is used here, typed so that any event and any of its packages fits. */
export interface Stack {
  use(middleware: unknown): Stack
  before(hook: unknown): Stack
  after(hook: unknown): Stack
  handler(handler: unknown): Handler
}

/** A middy stack without the timer for an early time-out, which costs more than all else in an empty handler. */
export function stack(): Stack {
  return middy({ timeoutEarlyInMillis: 0 }) as unknown as Stack
}
