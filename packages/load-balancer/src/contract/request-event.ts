import { isUtf8 } from 'node:buffer'
import type { LoadBalancerEvent } from './event.ts'
import type { Method } from './methods.ts'
import { isTextBody } from './text-body.ts'

/** A request as the client sent it. */
export interface RawRequest {
  readonly method: Method
  /** The request target up to the question mark, not decoded. */
  readonly path: string
  /** The text after the question mark, not decoded. */
  readonly query?: string
  /** The header lines, in order. A name may occur several times. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: Uint8Array
}

/** The configuration of a target group. */
export interface TargetGroup {
  readonly targetGroupArn: string
  /** Whether multi-value headers are enabled. */
  readonly multiValue: boolean
}

/**
 * Makes the event for a request, as a load balancer does. See docs/contract/load-balancer.md#event.requestContext.
 * Header names are in lower case, and the query is not decoded. Without multi-value headers, the last value of a
 * repeated name wins. A body that is not text becomes Base64.
 * @example
 * ```ts
 * import { requestEvent } from '@signalbox/load-balancer/contract'
 *
 * const event = requestEvent(
 *   { method: 'GET', path: '/orders', query: 'page=2', headers: [['Accept', 'text/html']] },
 *   { targetGroupArn: 'arn:cloud:target-group/shop', multiValue: false },
 * )
 * event.queryStringParameters // { page: '2' }
 * ```
 */
export function requestEvent(
  { method, path, query = '', headers = [], body }: RawRequest,
  { targetGroupArn, multiValue }: TargetGroup,
): LoadBalancerEvent {
  const lines = headers.map((line): Line => [line[0].toLowerCase(), line[1]])
  const parameters = pairs(query)
  const { text, isBase64Encoded } = bodyOf(body, lines)
  return {
    requestContext: { elb: { targetGroupArn } },
    httpMethod: method,
    path,
    ...(multiValue
      ? { multiValueQueryStringParameters: allOfEach(parameters), multiValueHeaders: allOfEach(lines) }
      : { queryStringParameters: lastOfEach(parameters), headers: lastOfEach(lines) }),
    body: text,
    isBase64Encoded,
  }
}

type Line = readonly [name: string, value: string]

function bodyOf(
  body: Uint8Array | undefined,
  lines: readonly Line[],
): { readonly text: string; readonly isBase64Encoded: boolean } {
  if (body === undefined || body.byteLength === 0) return { text: '', isBase64Encoded: false }
  const last = (name: string) => lines.findLast(line => line[0] === name)?.[1]
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const asText = isTextBody(last('content-type'), last('content-encoding')) && isUtf8(bytes)
  return { text: bytes.toString(asText ? 'utf8' : 'base64'), isBase64Encoded: !asText }
}

function pairs(query: string): readonly Line[] {
  return query
    .split('&')
    .filter(part => part !== '')
    .map(part => {
      const equals = part.indexOf('=')
      return equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)]
    })
}

// Object.fromEntries makes `__proto__` an ordinary field. An assignment would set the prototype.
const lastOfEach = (lines: readonly Line[]): { [name: string]: string } => Object.fromEntries(lines)

function allOfEach(lines: readonly Line[]): { [name: string]: string[] } {
  const values = new Map<string, string[]>()
  for (const [name, value] of lines) {
    const others = values.get(name)
    if (others === undefined) values.set(name, [value])
    else others.push(value)
  }
  return Object.fromEntries(values)
}
