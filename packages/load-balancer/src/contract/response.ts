import { boolean, number, string, where } from '@signalbox/codec/wire'
import type { Type } from 'io-ts'
import { MultiMap, SingleMap } from './event.ts'
import { type Described, extension, objectOf, omittable, optional, required } from './field.ts'

/**
 * The status code of a final response. A 1xx status is not final, because another response follows. The contract does
 * not define the range.
 */
const statusCode: Type<number, unknown, unknown> = where(
  number,
  n => Number.isInteger(n) && n >= 200 && n <= 599,
  'integer from 200 to 599',
)

/** The fields of a response. `multiValueHeaders` is required only when multi-value headers are enabled. */
export const responseFields = {
  /** HTTP status code. The range is an extension. */
  statusCode: required(statusCode),
  /** HTTP status description, such as `200 OK`. */
  statusDescription: required(string),
  /** Whether `body` is Base64-encoded. */
  isBase64Encoded: required(boolean),
  /** Response headers. */
  headers: optional(SingleMap),
  /** Response body. It can be absent, but null is malformed. */
  body: extension(omittable(string)),
  /**
   * Response headers with a list of values for each name. They are required instead of `headers` when multi-value
   * headers are enabled. Each cookie is an item of the `set-cookie` list.
   */
  multiValueHeaders: optional(MultiMap),
}

/** The response of a function. See docs/contract/load-balancer.md#response.statusCode. */
export interface LoadBalancerResponse extends Described<typeof responseFields> {}

/** The codec of a response with single-value headers. */
export const SingleValueResponse: Type<LoadBalancerResponse, unknown, unknown> = objectOf(
  'LoadBalancerResponse',
  responseFields,
)

/** The codec of a response with multi-value headers. */
export const MultiValueResponse: Type<LoadBalancerResponse, unknown, unknown> = objectOf(
  'LoadBalancerResponse with multi-value headers',
  {
    ...responseFields,
    multiValueHeaders: required(MultiMap),
  },
) as never
