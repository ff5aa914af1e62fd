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

  it.each<[unknown, unknown]>([
    [{ a: undefined }, { b: undefined }],
    [{}, { a: undefined }],
    [[], {}],
    [{}, []],
    [Object.create(Array.prototype), []],
    [null, {}],
    [1, {}],
    [Object.assign([], { toJSON: () => 1 }), []],
    [Object.defineProperty({}, 'toJSON', { value: () => 1 }), {}],
    [new Date(0), {}],
    [Object.create(null), {}],
  ])('is false for %j and %j', (value, data) => {
    expect(isSameData(value, data)).toBe(false)
  })
})
