import { expect, it } from '@jest/globals'
import { headBytes } from './index.ts'

const answer = { statusCode: 200, statusDescription: 'OK', isBase64Encoded: false }
const lines = (...all: readonly string[]) => all.map(line => `${line}\r\n`).join('').length

it('headBytes() counts the bytes of the status line and of the header lines, as HTTP/1.1 writes them', () => {
  expect(headBytes(answer, false)).toBe(lines('HTTP/1.1 200 OK'))
  expect(headBytes({ ...answer, headers: { a: 'b', link: '<x>' } }, false)).toBe(
    lines('HTTP/1.1 200 OK', 'a: b', 'link: <x>'),
  )
  expect(headBytes({ ...answer, multiValueHeaders: { a: ['b', 'cd'], e: [] } }, true)).toBe(
    lines('HTTP/1.1 200 OK', 'a: b', 'a: cd'),
  )
})

it('headBytes() counts only `multiValueHeaders` in multi-value mode, and only `headers` otherwise', () => {
  const both = { ...answer, headers: { a: 'b' }, multiValueHeaders: { c: ['d', 'e'] } }
  expect(headBytes(both, false)).toBe(lines('HTTP/1.1 200 OK', 'a: b'))
  expect(headBytes(both, true)).toBe(lines('HTTP/1.1 200 OK', 'c: d', 'c: e'))
})
