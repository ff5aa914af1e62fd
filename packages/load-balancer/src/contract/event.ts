import { boolean, list, map, oneOf, string } from '@signalbox/codec/wire'
import type { Type } from 'io-ts'
import { type Described, extension, objectOf, optional, required } from './field.ts'
import { methods } from './methods.ts'

/** A map of headers or parameters that has one value for each name. */
export type SingleMap = { readonly [name: string]: string }

/** A map of headers or parameters with every value of each name, when multi-value headers are enabled. */
export type MultiMap = { readonly [name: string]: readonly string[] }

/** The codec of a map in single-value mode. */
export const SingleMap: Type<SingleMap, unknown, unknown> = map(string)
/** The codec of a map in multi-value mode. */
export const MultiMap: Type<MultiMap, unknown, unknown> = map(list(string))

/** See docs/contract/load-balancer.md#event.requestContext. */
const elb = objectOf('requestContext.elb', {
  /** The resource name of the function's target group. */
  targetGroupArn: required(string),
})

/** The fields of a request event. See docs/contract/load-balancer.md#event.requestContext. */
export const eventFields = {
  /** An object whose `elb.targetGroupArn` is the resource name of the target group. */
  requestContext: required(objectOf('requestContext', { elb: required(elb) })),
  /** The method of the request. */
  httpMethod: required(oneOf(...methods)),
  /** The path of the request, exactly as the request line contains it. */
  path: required(string),
  /** Query parameters, not percent-decoded (extension). Only the last value of a repeated name is kept (extension). */
  queryStringParameters: optional(SingleMap),
  /** Query parameters with all their values, when multi-value headers are enabled. */
  multiValueQueryStringParameters: optional(MultiMap),
  /** Headers, with names in lower case (extension). Only the last value of a repeated name is kept (extension). */
  headers: optional(SingleMap),
  /** Headers with all their values, when multi-value headers are enabled. */
  multiValueHeaders: extension(optional(MultiMap)),
  /** The body of the request. */
  body: optional(string),
  /** Whether `body` is Base64-encoded. */
  isBase64Encoded: required(boolean),
}

/** The event that a load balancer makes from a request. See docs/contract/load-balancer.md#event.requestContext. */
export interface LoadBalancerEvent extends Described<typeof eventFields> {}

/** The codec of a request event. */
export const LoadBalancerEvent: Type<LoadBalancerEvent, unknown, unknown> = objectOf(
  'LoadBalancerEvent',
  eventFields,
)
