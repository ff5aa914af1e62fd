import { expect, it } from '@jest/globals'
import { describeValue } from './describe-value.ts'

it.each([
  [null, 'null'],
  [undefined, 'undefined'],
  [Number.NaN, 'NaN'],
  [[], 'a list'],
  [{}, 'an object'],
  [() => {}, 'a function'],
  [Symbol('s'), 'a symbol'],
  ['a"b\r\n', '"a\\"b\\r\\n"'],
  ['x'.repeat(61), `"${'x'.repeat(60)}…"`],
])('%p is shown as %s', (value, words) => {
  expect(describeValue(value)).toBe(words)
})
