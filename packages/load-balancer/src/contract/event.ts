import { boolean, list, map, oneOf, string } from '@signalbox/codec/wire'
import type { Type } from 'io-ts'
import { type Described, extension, objectOf, optional, required } from './field.ts'

/** The methods that a load balancer passes on. Contract D, request event, `httpMethod`. */
export const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const

/** One of the methods of contract D. */
export type Method = (typeof methods)[number]

/** A header or parameter map of a load balancer that passes on one value for each name. */
export type SingleMap = { readonly [name: string]: string }

/** A header or parameter map of a load balancer that passes on every value. */
export type MultiMap = { readonly [name: string]: readonly string[] }

/** The codec of a map with one value for each name. */
export const SingleMap: Type<SingleMap, unknown, unknown> = map(string)
/** The codec of a map with every value. */
export const MultiMap: Type<MultiMap, unknown, unknown> = map(list(string))

/** Contract D, request event, `requestContext.elb.targetGroupArn`. */
const elb = objectOf('requestContext.elb', {
  /** Resource name of the target group of the function. */
  targetGroupArn: required(string),
})

/** Contract D, request event. */
export const eventFields = {
  /** Object whose `elb.targetGroupArn` is the resource name of the target group. */
  requestContext: required(objectOf('requestContext', { elb: required(elb) })),
  /** The method of the request. */
  httpMethod: required(oneOf(...methods)),
  /** The path of the request, as it stands in the request line. */
  path: required(string),
  /**
   * Query parameters. Names and values are not percent-decoded (extension). The last value of a repeated
   * name wins (extension).
   */
  queryStringParameters: optional(SingleMap),
  /** Query parameters with every value, in multi-value mode. */
  multiValueQueryStringParameters: optional(MultiMap),
  /** Headers. Names are in lower case (extension). The last value of a repeated name wins (extension). */
  headers: optional(SingleMap),
  /** Headers with every value, in multi-value mode. */
  multiValueHeaders: extension(optional(MultiMap)),
  /** The body of the request. */
  body: optional(string),
  /** Whether `body` is Base64-encoded. */
  isBase64Encoded: required(boolean),
}

/** A request as the load balancer puts it into an event. Contract D, request event. */
export interface LoadBalancerEvent extends Described<typeof eventFields> {}

/** The codec of a request event. Contract D. */
export const LoadBalancerEvent: Type<LoadBalancerEvent, unknown, unknown> = objectOf(
  'LoadBalancerEvent',
  eventFields,
)

/**
 * Whether the load balancer that sent this event has multi-value headers enabled: then the event has a map with
 * every value, of the headers or of the query, and the answer must use `multiValueHeaders`. Contract D; how to tell
 * is an extension.
 */
export function isMultiValue(
  event: Pick<LoadBalancerEvent, 'multiValueHeaders' | 'multiValueQueryStringParameters'>,
): boolean {
  return isThere(event.multiValueHeaders) || isThere(event.multiValueQueryStringParameters)
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}
