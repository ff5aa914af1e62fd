import {
  type DurableExecutionConfig,
  type DurableExecutionInvocationOutput,
  withDurableExecution,
} from '@aws/durable-execution-sdk-js'
import { InvalidOptionError } from '../errors.ts'
import { notAnAnswer } from '../not-an-answer.ts'
import { suspendObserved } from '../observer.ts'
import type { InvocationContext } from '../plugin.ts'
import { within } from './current.ts'
import { follow } from './durable-operations.ts'

/** Options of `durable()`: those of the SDK's `withDurableExecution()`. */
export type DurableOptions = DurableExecutionConfig

/** A durable function, as the platform calls it for each invocation of an execution. */
export type DurableHandler = (
  event: unknown,
  context?: InvocationContext,
) => Promise<DurableExecutionInvocationOutput>

/**
 * Makes a durable function of a handler: its routes and message handlers can call `step`, `wait`, `callback` and `map`. An
 * execution may last up to a year and survives crashes, because each invocation runs the handler again up to the place at
 * which the last one ended, and gets the results of earlier steps without running them.
 *
 * Middlewares run in every invocation, unless they are wrapped with `oncePerExecution()`; `after` and `onError` run only in
 * the last one, which has an answer. Each message of a batch has a context of its own. The invocation has no deadline, because
 * the execution goes on in another one.
 *
 * @example
 * ```ts
 * import { signalbox } from '@signalbox/core'
 * import { durable, step, wait } from '@signalbox/core/durable'
 * import { queue } from '@signalbox/queue'
 *
 * declare function reserve(order: string): Promise<string>
 * declare function ship(reservation: string): Promise<void>
 *
 * export const handler = durable(
 *   signalbox(
 *     queue({
 *       onMessage: async ({ body }) => {
 *         const reservation = await step('reserve', () => reserve(body))
 *         await wait('payment', { hours: 1 })
 *         await step('ship', () => ship(reservation))
 *       },
 *     }),
 *   ),
 * )
 * ```
 * @throws InvalidOptionError for a handler that is not a function
 */
export function durable(
  handler: (event: unknown, context?: InvocationContext) => Promise<unknown>,
  options: DurableOptions = {},
): DurableHandler {
  if (typeof handler !== 'function')
    throw new InvalidOptionError('durable() takes a handler, as in durable(signalbox(queue(…)))')
  const own = new WeakMap<object, InvocationContext>()
  const wrapped = withDurableExecution(async (event, durableContext) => {
    const { getRemainingTimeInMillis: _, ...context } = durableContext.lambdaContext
    own.set(durableContext.lambdaContext, context)
    follow(context, durableContext, () => event)
    // Middlewares may have steps, too.
    return within(durableContext, () => handler(event, context))
  }, options)
  const durableHandler: DurableHandler = async (event, context = {}) => {
    const { awsRequestId = context.requestId } = context
    const given = { ...context, awsRequestId, getRemainingTimeInMillis: remaining(context) }
    const output = await wrapped(event as never, given as never)
    if (output.Status === 'PENDING') suspendObserved(own.get(given))
    return output
  }
  return notAnAnswer('a handler', durableHandler)
}

/** The SDK ends an invocation some time before its deadline, and needs one. */
function remaining({ getRemainingTimeInMillis }: InvocationContext): () => number {
  return getRemainingTimeInMillis ?? (() => Number.POSITIVE_INFINITY)
}
