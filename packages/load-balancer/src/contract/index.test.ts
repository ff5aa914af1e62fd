import { expect, it } from '@jest/globals'
import * as contract from './index.ts'

it('index.ts exports exactly these names', () => {
  expect(Object.keys(contract)).toMatchInlineSnapshot(`
[
  "LoadBalancerEvent",
  "MultiMap",
  "MultiValueResponse",
  "SingleMap",
  "SingleValueResponse",
  "charsetOf",
  "connectionOptions",
  "eventFields",
  "headBytes",
  "hopByHopHeaders",
  "httpValueVerdict",
  "httpVerdict",
  "isFieldName",
  "isFieldValue",
  "isHopByHop",
  "isMultiValue",
  "isTextBody",
  "malformedStatus",
  "maxRequestBodyBytes",
  "maxResponseBytes",
  "maxResponseHeadBytes",
  "mediaType",
  "methods",
  "refusal",
  "requestEvent",
  "requestTooLargeStatus",
  "responseFields",
  "textMediaTypes",
  "webSocketStatus",
]
`)
})
