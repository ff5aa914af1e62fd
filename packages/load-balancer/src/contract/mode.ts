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
  if (multiValueHeaders != null) return true
  return query != null && (queryStringParameters == null || Object.keys(query).length > 0)
}
