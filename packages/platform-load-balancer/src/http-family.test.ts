import { expect, it } from '@jest/globals'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { httpFamily } from './http-family.ts'

const single = httpEvent('GET', '/')
const { headers, queryStringParameters, ...rest } = single

it.each([
  ['a multi-value request', httpEvent('GET', '/', { multiValue: true }), '/multiValueHeaders'],
  [
    'a request with single-value headers and a multi-value query',
    { ...rest, headers, multiValueQueryStringParameters: {} },
    '/multiValueHeaders',
  ],
  ['a request whose multi-value map is null', { ...single, multiValueHeaders: null }, undefined],
])('the problems of a response to %s fit its verdict', (_, event, pointer) => {
  const payload = JSON.stringify({
    statusCode: 200,
    statusDescription: '200 OK',
    isBase64Encoded: false,
    headers: {},
  })
  expect(httpFamily.verdict(payload, event as never).ok).toBe(pointer === undefined)
  expect(httpFamily.problems?.(payload, event as never)[0]?.pointer).toBe(pointer)
})
