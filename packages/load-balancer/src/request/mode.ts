import type { LoadBalancerEvent } from '../contract/index.ts'

/**
 * Whether an event that has been normalized came with multi-value headers. Middlewares may have changed it since:
 * `@middy/http-event-normalizer` puts an empty `multiValueQueryStringParameters` into every event.
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
