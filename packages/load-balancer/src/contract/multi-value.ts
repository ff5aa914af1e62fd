import type { LoadBalancerEvent } from './event.ts'

/**
 * Returns whether an event is in multi-value mode, in which the response must use `multiValueHeaders`. An event with a
 * multi-value map of headers or of parameters is in this mode
 * (docs/contract/load-balancer.md#request.mode-of-an-event).
 * @example
 * ```ts
 * import { isMultiValue } from '@signalbox/load-balancer/contract'
 *
 * isMultiValue({ multiValueHeaders: { accept: ['text/html'] } }) // true
 * ```
 */
export function isMultiValue(
  event: Pick<LoadBalancerEvent, 'multiValueHeaders' | 'multiValueQueryStringParameters'>,
): boolean {
  return event.multiValueHeaders != null || event.multiValueQueryStringParameters != null
}
