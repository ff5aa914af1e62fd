import type { DurableContext } from '@aws/durable-execution-sdk-js'
import { named } from '../middleware/named.ts'
import { observe } from '../observer.ts'
import type { BeforeMiddleware, InvocationContext, Request } from '../plugin.ts'
import { within } from './current.ts'
import { messageContexts } from './message-contexts.ts'

/**
 * Returns the middleware that lets routes and messages call `step`, `wait`, `callback` and `map` in a handler that has middy's
 * own execution mode for durable functions. With `durable(handler)` it is not needed.
 *
 * @example
 * import { executionModeDurableContext } from '@middy/core/DurableContext'
 *
 * export const handler = signalbox(queue({ onMessage }), { executionMode: executionModeDurableContext }).use(
 *   durableOperations(),
 * )
 */
export function durableOperations(): BeforeMiddleware {
  return {
    name: 'durable-operations',
    before: named('durable-operations', ({ event, context }: Request): void => {
      const durable = context as unknown as DurableContext & InvocationContext
      withoutDeadline(durable)
      follow(durable, durable, () => event)
    }),
  }
}

/** Lets the handler of an invocation, and each of its messages, use a durable context. */
export function follow(invocation: InvocationContext, durable: DurableContext, event: () => unknown): void {
  let messages: ReturnType<typeof messageContexts> | undefined
  observe(invocation, {
    handle: run => within(durable, run),
    message(record, run) {
      messages ??= messageContexts(durable, event())
      return messages(record, run)
    },
    end() {},
  })
}

/**
 * Removes the deadline of an invocation, because the execution goes on after it: the platform ends an invocation that takes
 * too long, and another continues after the last step. Timers of families would fire after the invocation has ended.
 */
function withoutDeadline(context: { getRemainingTimeInMillis?: unknown }): void {
  context.getRemainingTimeInMillis = undefined
}
