import * as t from 'io-ts'
import { type Described, extension, objectOf, optional, required } from './field.ts'

/** The methods that a load balancer passes on. Contract D, request event, `httpMethod`. */
export const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const

/** One of the methods of contract D. */
export type Method = (typeof methods)[number]

const method = t.keyof(
  { DELETE: null, GET: null, HEAD: null, OPTIONS: null, PATCH: null, POST: null, PUT: null } satisfies Record<
    Method,
    null
  >,
  'one of DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
)

/** A header or parameter map of a load balancer that passes on one value for each name. */
export type SingleMap = { readonly [name: string]: string }

/** A header or parameter map of a load balancer that passes on every value. */
export type MultiMap = { readonly [name: string]: readonly string[] }

/** The codec of a map with one value for each name. */
export const SingleMap: t.Type<SingleMap, unknown, unknown> = t.record(
  t.string,
  t.string,
  'map of String to String',
)
/** The codec of a map with every value. */
export const MultiMap: t.Type<MultiMap, unknown, unknown> = t.record(
  t.string,
  t.readonlyArray(t.string, 'list of String'),
  'map of String to list of String',
)

/** Contract D, request event, `requestContext.elb.targetGroupArn`. */
const elb = objectOf('requestContext.elb', {
  targetGroupArn: required(t.string, 'Resource name of the target group of the function'),
})

/** Contract D, request event. */
export const eventFields = {
  requestContext: required(
    objectOf('requestContext', { elb: required(elb, 'What the load balancer says of itself') }),
    'Holds elb.targetGroupArn, the resource name of the target group of the function',
  ),
  httpMethod: required(method, 'The request method'),
  path: required(t.string, 'HTTP request path, raw: as it was sent, not percent-decoded'),
  queryStringParameters: optional(SingleMap, 'Query parameters sent by the client, not percent-decoded'),
  multiValueQueryStringParameters: optional(
    MultiMap,
    'Used when multi-value headers are enabled; carries every value sent by the client, not percent-decoded',
  ),
  headers: optional(SingleMap, 'HTTP headers sent by the client, names in lower case'),
  multiValueHeaders: extension(
    optional(MultiMap, 'Instead of headers when multi-value headers are enabled; carries every value'),
  ),
  body: optional(t.string, 'Request body'),
  isBase64Encoded: required(t.boolean, 'Whether body is Base64-encoded'),
}

/** A request as the load balancer puts it into an event. Contract D, request event. */
export interface LoadBalancerEvent extends Described<typeof eventFields> {}

/** The codec of a request event. Contract D. */
export const LoadBalancerEvent: t.Type<LoadBalancerEvent, unknown, unknown> = objectOf(
  'LoadBalancerEvent',
  eventFields,
)

/**
 * Whether the load balancer that sent this event has multi-value headers enabled: then the event has
 * `multiValueHeaders`, and the answer must use them too. Contract D; how to tell is an extension.
 */
export function isMultiValue(event: Pick<LoadBalancerEvent, 'multiValueHeaders'>): boolean {
  return event.multiValueHeaders !== undefined && event.multiValueHeaders !== null
}
