import { durableExecution } from '../durable-execution.ts'
import { InvalidOptionError } from '../errors.ts'
import { named } from '../middleware/named.ts'
import type { Middleware, Request } from '../plugin.ts'

/**
 * Makes the `before` hook of a middleware run once in an execution, as a step, and not in each of its invocations. It is for
 * hooks that do something, such as counting or notifying: what such a hook changes in the event is lost in later invocations.
 * An early response is kept. Outside of a durable function, the hook runs each time.
 *
 * The hooks `after` and `onError` run only in the last invocation anyway, because the earlier ones have no answer.
 *
 * @example
 * durable(signalbox(queue({ onMessage })).use(oncePerExecution(countExecutions())))
 * @throws InvalidOptionError for something that has no `before` hook
 */
export function oncePerExecution(middleware: Middleware): Middleware {
  const before = middleware?.before as ((request: Request) => unknown) | undefined
  if (typeof before !== 'function')
    throw new InvalidOptionError('oncePerExecution() takes a middleware with a before hook')
  const name = middleware.name ?? (before.name || 'middleware')
  return {
    ...middleware,
    before: named(before.name, async (request: Request & { earlyResponse?: unknown }): Promise<unknown> => {
      const execution = durableExecution()
      if (execution === undefined) return before(request)
      const early = await execution.step(`${name} before`, async () => {
        const returned = await before(request)
        if (returned !== undefined) return { response: returned }
        return 'earlyResponse' in request ? { response: request.earlyResponse } : null
      })
      return early?.response
    }),
  }
}
