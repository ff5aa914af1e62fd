import { expect, it } from '@jest/globals'
import * as contract from './index.ts'

it('exports this and no more', () => {
  expect(Object.keys(contract)).toMatchInlineSnapshot(`
[
  "LoadBalancerEvent",
  "MultiMap",
  "MultiValueResponse",
  "SingleMap",
  "SingleValueResponse",
  "eventFields",
  "hopByHopHeaders",
  "httpVerdict",
  "isFieldName",
  "isFieldValue",
  "isHopByHop",
  "isMultiValue",
  "isTextBody",
  "malformedStatus",
  "maxRequestBodyBytes",
  "maxResponseBytes",
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
