import { type Clock, systemClock } from '../clock.ts'
import type { InvocationContext } from '../plugin.ts'

/**
 * Returns an invocation context with `timeout` milliseconds left, by default five seconds.
 * @example
 * ```ts
 * import { signalbox } from '@signalbox/core'
 * import { invocationContext } from '@signalbox/core/testing'
 * import { queue } from '@signalbox/queue'
 * import { queueEvent } from '@signalbox/queue/testing'
 *
 * const handler = signalbox(queue({ onMessage: ({ body }) => console.log(body) }))
 * await handler(queueEvent({ bodies: ['paid'] }), invocationContext({ timeout: 1000 })) // { batchItemFailures: [] }
 * ```
 */
export function invocationContext({
  timeout = 5000,
  clock = systemClock,
  requestId = '8f5c1d0e-4b1a-4f6e-9c33-2d7f0a1b9e55',
  functionName = 'function',
}: {
  readonly timeout?: number
  readonly clock?: Clock
  readonly requestId?: string
  readonly functionName?: string
} = {}): InvocationContext {
  const end = clock.now() + timeout
  return { functionName, requestId, getRemainingTimeInMillis: () => Math.max(0, end - clock.now()) }
}
