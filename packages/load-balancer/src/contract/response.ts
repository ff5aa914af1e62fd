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
  /** HTTP status code. */
  statusCode: required(statusCode),
  /** HTTP status description, such as "200 OK". */
  statusDescription: required(string),
  /** Whether body is Base64-encoded. */
  isBase64Encoded: required(boolean),
  /** Response headers. */
  headers: optional(SingleMap),
  /** Response body. That null is malformed here, and not the same as absent, is an extension. */
  body: extension(omittable(string)),
  /** Used instead of headers when multi-value headers are enabled; several cookies are several list entries. */
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
