import type { LoadBalancerEvent } from './index.ts'

/**
 * Returns whether a normalized event has multi-value headers (docs/contract/load-balancer.md#request.mode-of-an-event).
 * It ignores the empty `multiValueQueryStringParameters` that `@middy/http-event-normalizer` adds to every event.
 */
export function inMultiValueMode({
  multiValueHeaders,
  multiValueQueryStringParameters: query,
  queryStringParameters,
}: LoadBalancerEvent): boolean {
  if (multiValueHeaders !== undefined && multiValueHeaders !== null) return true
  if (query === undefined || query === null) return false
  return (
    queryStringParameters === undefined || queryStringParameters === null || Object.keys(query).length > 0
  )
}
