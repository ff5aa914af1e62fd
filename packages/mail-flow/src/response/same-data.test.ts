import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { isSameData } from './same-data.ts'

describe('isSameData', () => {
  it('agrees with isDeepStrictEqual for any two JSON values', () => {
    const one = fc.jsonValue({ maxDepth: 3 })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.tuple(one, one),
          one.map(value => [value, structuredClone(value)]),
        ),
        ([a, b]) => {
          expect(isSameData(a, b)).toBe(isDeepStrictEqual(a, b))
        },
      ),
    )
  })

  it.each<[string, unknown, unknown]>([
    ['objects with different undefined fields', { a: undefined }, { b: undefined }],
    ['an empty object and one with an undefined field', {}, { a: undefined }],
    ['an array and an object', [], {}],
    ['an object and an array', {}, []],
    ['an object with the prototype of arrays and an array', Object.create(Array.prototype), []],
    ['null and an object', null, {}],
    ['a number and an object', 1, {}],
    ['an array with toJSON and an array', Object.assign([], { toJSON: () => 1 }), []],
    [
      'an object with a hidden toJSON and an object',
      Object.defineProperty({}, 'toJSON', { value: () => 1 }),
      {},
    ],
    ['a date and an object', new Date(0), {}],
    ['an object without a prototype and an ordinary object', Object.create(null), {}],
  ])('returns false for %s', (_, value, data) => {
    expect(isSameData(value, data)).toBe(false)
  })
})
