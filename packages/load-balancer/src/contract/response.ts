import * as t from 'io-ts'
import { MultiMap, SingleMap } from './event.ts'
import { type Described, extension, objectOf, omittable, optional, required } from './field.ts'

/** Extension: the contract says Integer. 1xx announces another answer, so it cannot be the answer. */
const statusCode: t.Type<number, unknown, unknown> = t.refinement(
  t.number,
  n => Number.isInteger(n) && n >= 200 && n <= 599,
  'integer from 200 to 599',
)

/** Contract D, load-balancer invocation, output. `multiValueHeaders` is required in multi-value mode only. */
export const responseFields = {
  statusCode: required(statusCode, 'HTTP status code'),
  statusDescription: required(t.string, 'HTTP status description, such as "200 OK"'),
  isBase64Encoded: required(t.boolean, 'Whether body is Base64-encoded'),
  headers: optional(SingleMap, 'Response headers'),
  // That null is malformed here, and not the same as absent, is an extension.
  body: extension(omittable(t.string, 'Response body')),
  multiValueHeaders: optional(
    MultiMap,
    'Used instead of headers when multi-value headers are enabled; several cookies are several list entries',
  ),
}

/** What a function answers. Contract D, load-balancer invocation, output. */
export interface LoadBalancerResponse extends Described<typeof responseFields> {}

/** The codec of an answer to a request that came without multi-value headers. */
export const SingleValueResponse: t.Type<LoadBalancerResponse, unknown, unknown> = objectOf(
  'LoadBalancerResponse',
  responseFields,
)

/** The codec of an answer to a request that came with multi-value headers. */
export const MultiValueResponse: t.Type<LoadBalancerResponse, unknown, unknown> = objectOf(
  'LoadBalancerResponse with multi-value headers',
  {
    ...responseFields,
    multiValueHeaders: required(MultiMap, responseFields.multiValueHeaders.meaning),
  },
) as never
