import { expect, it } from '@jest/globals'
import { isPlainObject } from './plain-object.ts'

it.each([{}, { a: 1 }, Object.create(null), JSON.parse('{"__proto__":1}')])(
  'isPlainObject() accepts an object as JSON.parse creates it: %j',
  value => {
    expect(isPlainObject(value)).toBe(true)
  },
)

it.each([null, undefined, true, 1, 'text', [], new Map(), new Date(0), Object.create({})])(
  'isPlainObject() refuses %p',
  value => {
    expect(isPlainObject(value)).toBe(false)
  },
)

it('isPlainObject() refuses a function, even without a prototype', () => {
  expect(isPlainObject(Object.setPrototypeOf(() => {}, null))).toBe(false)
})
