import { isObject } from '@signalbox/codec'
import { type Family, notAnAnswer } from '@signalbox/core/base'
import { isMultiValue } from './contract/index.ts'
import { inMultiValueMode } from './contract/mode.ts'
import { readyEvent } from './contract/ready.ts'

/**
 * The family of load-balancer requests: recognizes, normalizes and validates events.
 * See docs/contract/load-balancer.md#event.requestContext.
 */
export const loadBalancerFamily: Family = notAnAnswer('a family', {
  name: 'load-balancer',
  recognizes: event => isObject(event) && (hasElb(event) || typeof event.targetGroupArn === 'string'),
  keys: ['requestContext', 'httpMethod', 'path', 'headers', 'multiValueHeaders', 'isBase64Encoded'],
  correlationId: event => (isObject(event) ? traceId(event) : undefined),
  ...(process.env.NODE_ENV !== 'production' && {
    hint,
    identifiedBy: 'requestContext.elb (or targetGroupArn)',
  }),
  event: readyEvent,
  normalize,
})

/**
 * Returns a hint for an event from an API Gateway or a function URL, or for an AWS event that was not
 * translated.
 */
function hint(event: unknown): string | undefined {
  if (!isObject(event)) return undefined
  const { requestContext } = event
  if (
    isObject(requestContext) &&
    !hasElb(event) &&
    (requestContext.apiId ?? requestContext.http ?? requestContext.stage) !== undefined
  )
    return 'The event is from an API Gateway or a function URL, not from an Application Load Balancer: its requestContext has no elb.'
  const headers = isObject(event.headers) ? event.headers : event.multiValueHeaders
  return isObject(headers) && headers['x-amzn-trace-id'] !== undefined && headers[traceHeader] === undefined
    ? 'The event is from a load balancer of AWS: wrap the handler in aws() of @signalbox/aws, or the trace id is not read.'
    : undefined
}

// Gives all events the same form. The contract allows absent and null maps, the name of the target group in two places
// (#request.top-level-target-group), and single-value headers with a multi-value query (#request.mode-of-an-event). So
// none of the changes below counts as drift.
function normalize(event: unknown): void {
  if (!isObject(event)) return
  const { targetGroupArn } = event
  if (typeof targetGroupArn === 'string' && !hasElb(event)) {
    event.requestContext = {
      ...(isObject(event.requestContext) ? event.requestContext : {}),
      elb: { targetGroupArn },
    }
  }
  // Load balancers send no pathParameters. @middy/http-event-normalizer adds them and an empty multi-value query, which
  // must not change the mode.
  const wasAdded = event.pathParameters !== undefined && !inMultiValueMode(event as never)
  if (wasAdded || !isMultiValue(event)) {
    if (event.headers == null) event.headers = {}
    if (event.queryStringParameters == null) event.queryStringParameters = {}
    return
  }
  if (event.multiValueHeaders == null) event.multiValueHeaders = listsOf(event.headers)
  if (event.multiValueQueryStringParameters == null) event.multiValueQueryStringParameters = {}
}

/**
 * Turns single-value headers into lists with one value each. If the headers are not a map, the validator reports that.
 */
function listsOf(headers: unknown): object {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, [value]]))
}

function hasElb({ requestContext }: Record<string, unknown>): boolean {
  return isObject(requestContext) && isObject(requestContext.elb)
}

// Returns the id in the trace header: docs/contract/load-balancer.md#request.correlation-id. An empty header does not
// count as an id.
function traceId({ headers, multiValueHeaders }: Record<string, unknown>): string | undefined {
  const single = isObject(headers) ? headers[traceHeader] : undefined
  const list = isObject(multiValueHeaders) ? multiValueHeaders[traceHeader] : undefined
  const id = single || (Array.isArray(list) ? list[0] : undefined)
  return typeof id === 'string' && id !== '' ? id : undefined
}

const traceHeader = 'x-cloud-trace-id'
