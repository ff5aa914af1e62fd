import type { Plugin } from '@signalbox/core'
import type { QueueEvent } from './contract/event.ts'
import type { BatchResponse } from './contract/response.ts'
import { type QueueOptions, queuePlugin } from './queue-plugin.ts'

/**
 * Does the same as `queue()` of the package, for options with `onMessage`, without the code for `onBatch`. The bundler plugin calls it
 * in place of `queue()`.
 */
export function queue<Body = string, Wire = unknown>(
  options: QueueOptions<Body, Wire> & { readonly onBatch?: never },
): Plugin<BatchResponse, QueueEvent> {
  return queuePlugin(options as QueueOptions<Body, Wire>)
}
