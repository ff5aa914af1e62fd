import middy from '@middy/core'
import type { Middleware } from '@signalbox/core'

/** Returns a plain middy handler. */
export function stackOf(middlewares: readonly Middleware[], handler: unknown) {
  const stack = middy(handler as never, { timeoutEarlyInMillis: 0 })
  stack.use(middlewares as never)
  return stack
}
