import type { LoadBalancerEvent } from './event.ts'

/**
 * Returns whether an event has multi-value headers, so that the response must use `multiValueHeaders`. Either
 * multi-value map shows this (docs/contract/load-balancer.md#request.mode-of-an-event).
 */
export function isMultiValue(
  event: Pick<LoadBalancerEvent, 'multiValueHeaders' | 'multiValueQueryStringParameters'>,
): boolean {
  return isPresent(event.multiValueHeaders) || isPresent(event.multiValueQueryStringParameters)
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}
