import { boolean, number, string, where } from '@signalbox/codec/wire'
import type { Type } from 'io-ts'
import { MultiMap, SingleMap } from './event.ts'
import { type Described, extension, objectOf, omittable, optional, required } from './field.ts'

/** Extension: the contract says Integer. 1xx announces another answer, so it cannot be the answer. */
const statusCode: Type<number, unknown, unknown> = where(
  number,
  n => Number.isInteger(n) && n >= 200 && n <= 599,
  'integer from 200 to 599',
)

/** Contract D, load-balancer invocation, output. `multiValueHeaders` is required in multi-value mode only. */
export const responseFields = {
  /** HTTP status code. The range is an extension. */
  statusCode: required(statusCode),
  /** HTTP status description, such as `200 OK`. */
  statusDescription: required(string),
  /** Whether `body` is Base64-encoded. */
  isBase64Encoded: required(boolean),
  /** Response headers. */
  headers: optional(SingleMap),
  /** Response body. Null is malformed here, and not the same as absent. */
  body: extension(omittable(string)),
  /**
   * Response headers with lists of values. Required instead of `headers` in multi-value mode. Several
   * cookies are several entries of one list.
   */
  multiValueHeaders: optional(MultiMap),
}

/** What a function answers. Contract D, load-balancer invocation, output. */
export interface LoadBalancerResponse extends Described<typeof responseFields> {}

/** The codec of an answer to a request that came without multi-value headers. */
export const SingleValueResponse: Type<LoadBalancerResponse, unknown, unknown> = objectOf(
  'LoadBalancerResponse',
  responseFields,
)

/** The codec of an answer to a request that came with multi-value headers. */
export const MultiValueResponse: Type<LoadBalancerResponse, unknown, unknown> = objectOf(
  'LoadBalancerResponse with multi-value headers',
  {
    ...responseFields,
    multiValueHeaders: required(MultiMap),
  },
) as never
