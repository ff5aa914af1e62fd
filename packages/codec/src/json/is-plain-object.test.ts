import { expect, it } from '@jest/globals'
import { isPlainObject } from './is-plain-object.ts'

it.each<[string, unknown]>([
  ['an empty object', {}],
  ['an object with a field', { a: 1 }],
  ['an object without a prototype', Object.create(null)],
  ['an object with a field __proto__', JSON.parse('{"__proto__":1}')],
])('isPlainObject() accepts %s', (_, value) => {
  expect(isPlainObject(value)).toBe(true)
})

it.each([null, undefined, true, 1, 'text', [], new Map(), new Date(0), Object.create({})])(
  'isPlainObject() refuses %p',
  value => {
    expect(isPlainObject(value)).toBe(false)
  },
)

it('isPlainObject() refuses a function, even one without a prototype', () => {
  expect(isPlainObject(Object.setPrototypeOf(() => {}, null))).toBe(false)
})
