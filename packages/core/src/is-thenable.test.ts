import { expect, it } from '@jest/globals'
import { isThenable } from './index.ts'

it('isThenable() accepts promises, and other objects and functions with a method then', () => {
  const withThen = (value: object, then: unknown) => Object.defineProperty(value, 'then', { value: then })
  const run = () => {}
  for (const value of [Promise.resolve(), withThen({}, run), withThen(() => {}, run)])
    expect(isThenable(value)).toBe(true)
  for (const value of [undefined, null, 'then', 0, {}, withThen({}, true), () => {}])
    expect(isThenable(value)).toBe(false)
})
