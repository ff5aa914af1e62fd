import type { Plugin } from '@signalbox/core'
import type { QueueEvent } from './contract/event.ts'
import type { BatchResponse } from './contract/response.ts'
import { type QueueOptions, queuePlugin } from './queue-plugin.ts'

/**
 * Works like `queue()` of this package for options with `onMessage`, but does not load the code for `onBatch`, so that
 * bundles are 1.4 kB smaller.
 * @example
 * ```ts
 * import { signalbox } from '@signalbox/core'
 * import { queue } from '@signalbox/queue/on-message'
 *
 * export const handler = signalbox(queue({ onMessage: ({ body }) => console.log(body) }))
 * ```
 */
export function queue<Body = string, Wire = unknown>(
  options: QueueOptions<Body, Wire> & { readonly onBatch?: never },
): Plugin<BatchResponse, QueueEvent> {
  return queuePlugin(options as QueueOptions<Body, Wire>)
}
