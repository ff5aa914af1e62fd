import { isUtf8 } from 'node:buffer'
import type { LoadBalancerEvent, Method } from './event.ts'
import { isTextBody } from './text-body.ts'

/** A request as it stands on the wire. */
export interface RawRequest {
  readonly method: Method
  /** The request target up to the question mark, raw. */
  readonly path: string
  /** What follows the question mark, raw. */
  readonly query?: string
  /** Header lines in order. A repeated name stands there repeatedly. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: Uint8Array
}

/** How a target group is set up. */
export interface TargetGroup {
  readonly targetGroupArn: string
  /** Whether multi-value headers are enabled. */
  readonly multiValue: boolean
}

/**
 * The event that a load balancer makes of a request. Contract D, request event, with its extensions: header names
 * in lower case, query raw, the last value of a repeated name in single mode, Base64 for whatever is not text.
 */
export function requestEvent(
  { method, path, query = '', headers = [], body }: RawRequest,
  { targetGroupArn, multiValue }: TargetGroup,
): LoadBalancerEvent {
  const headerValues = gather(headers.map(([name, value]) => [name.toLowerCase(), value]))
  const queryValues = gather(pairs(query))
  const last = (name: string) => headerValues.get(name)?.at(-1)
  const bytes = Buffer.from(body ?? [])
  const asText = isTextBody(last('content-type'), last('content-encoding')) && isUtf8(bytes)
  return {
    requestContext: { elb: { targetGroupArn } },
    httpMethod: method,
    path,
    ...(multiValue
      ? {
          multiValueQueryStringParameters: Object.fromEntries(queryValues),
          multiValueHeaders: Object.fromEntries(headerValues),
        }
      : { queryStringParameters: lastOfEach(queryValues), headers: lastOfEach(headerValues) }),
    body: bytes.toString(asText || bytes.length === 0 ? 'utf8' : 'base64'),
    isBase64Encoded: !asText && bytes.length > 0,
  }
}

function pairs(query: string): (readonly [string, string])[] {
  return query
    .split('&')
    .filter(part => part !== '')
    .map(part => {
      const equals = part.indexOf('=')
      return equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)]
    })
}

function gather(lines: readonly (readonly [string, string])[]): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const [name, value] of lines) {
    const known = values.get(name)
    if (known) known.push(value)
    else values.set(name, [value])
  }
  return values
}

// Object.fromEntries defines its keys, so that a parameter named __proto__ is just another key.
function lastOfEach(values: ReadonlyMap<string, readonly string[]>): { [name: string]: string } {
  return Object.fromEntries([...values].map(([name, all]) => [name, all.at(-1)!]))
}
