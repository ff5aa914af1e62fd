import { expect, it } from '@jest/globals'
import * as contract from './index.ts'

it('@signalbox/load-balancer/contract exports exactly these names', () => {
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

it('codecs have the names that the contract documentation uses', () => {
  const { eventFields, responseFields } = contract
  expect(
    [
      contract.LoadBalancerEvent,
      contract.SingleValueResponse,
      contract.MultiValueResponse,
      eventFields.requestContext.codec,
      responseFields.statusCode.codec,
      contract.MultiMap,
    ].map(({ name }) => name),
  ).toEqual([
    'LoadBalancerEvent',
    'LoadBalancerResponse',
    'LoadBalancerResponse with multi-value headers',
    'requestContext',
    'integer from 200 to 599',
    'map of string to list of string',
  ])
})
