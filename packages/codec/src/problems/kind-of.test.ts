import { expect, it } from '@jest/globals'
import { kindOf } from './kind-of.ts'

it.each([
  [undefined, 'nothing'],
  [null, 'null'],
  [[1], 'a list'],
  [{ a: 1 }, 'an object'],
  [new Map(), 'an object'],
  ['secret', 'a string'],
  [7, 'a number'],
  [true, 'a boolean'],
  [7n, 'a bigint'],
  [Symbol('secret'), 'a symbol'],
  [() => 1, 'a function'],
])('kindOf() describes %p as "%s"', (value, words) => {
  expect(kindOf(value)).toBe(words)
})

it('kindOf() uses the caller’s words for an object', () => {
  expect([{}, []].map(value => kindOf(value, 'another object'))).toEqual(['another object', 'a list'])
})
