import { expect, it } from '@jest/globals'
import { isObject } from '../index.ts'

it('isObject() accepts every object that is neither an array nor a function', () => {
  expect([{}, Object.create(null), new Map()].map(isObject)).toEqual([true, true, true])
  expect([null, undefined, [], 'a', 1, () => 1].map(isObject)).toEqual(Array(6).fill(false))
})
