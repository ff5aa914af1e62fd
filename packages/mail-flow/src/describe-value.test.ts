import { expect, it } from '@jest/globals'
import { describeValue } from './describe-value.ts'

it.each([
  ['null', null, 'null'],
  ['undefined', undefined, 'undefined'],
  ['NaN', Number.NaN, 'NaN'],
  ['an array', [], 'a list'],
  ['an object', {}, 'an object'],
  ['a function', () => {}, 'a function'],
  ['a symbol', Symbol('s'), 'a symbol'],
  ['a string', 'a"b\r\n', '"a\\"b\\r\\n"'],
  ['a string of 61 characters', 'x'.repeat(61), `"${'x'.repeat(60)}…"`],
])('describeValue() describes %s', (_, value, words) => {
  expect(describeValue(value)).toBe(words)
})
