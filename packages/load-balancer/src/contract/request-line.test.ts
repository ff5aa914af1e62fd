import { expect, it } from '@jest/globals'
import { httpEvent } from '../testing/index.ts'
import { requestLine } from './request-line.ts'

it.each([
  ['omits the query', '/orders/7', 'GET /orders/7'],
  ['escapes line feeds', '/a\r\nGET /b', 'GET /a%0D%0AGET%20/b'],
  ['escapes non-ASCII characters', '/é\ud800', 'GET /%C3%A9%EF%BF%BD'],
  ['shortens a long path', `/${'a'.repeat(300)}`, `GET /${'a'.repeat(199)}…`],
])('requestLine() %s', (_, path, line) => {
  expect(requestLine({ ...httpEvent('GET', '/?password=x'), path })).toBe(line)
})
