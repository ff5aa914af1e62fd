import { expect, it } from '@jest/globals'
import { httpEvent } from '../testing/index.ts'
import { requestLine } from './request-line.ts'

it.each([
  ['/orders/7', 'GET /orders/7'],
  ['/a\r\nGET /b', 'GET /a%0D%0AGET%20/b'],
  ['/é\ud800', 'GET /%C3%A9%EF%BF%BD'],
  [`/${'a'.repeat(300)}`, `GET /${'a'.repeat(199)}…`],
])('the line of a request for %j is on one line, without the query, and short', (path, line) => {
  expect(requestLine({ ...httpEvent('GET', '/?password=x'), path })).toBe(line)
})
