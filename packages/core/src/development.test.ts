import { afterEach, expect, it } from '@jest/globals'
import { inDevelopment } from './index.ts'

const before = process.env.NODE_ENV
afterEach(() => {
  process.env.NODE_ENV = before
})

it.each([
  ['development', true],
  ['production', false],
  ['test', false],
])('with NODE_ENV=%s, inDevelopment() is %s', (value, expected) => {
  process.env.NODE_ENV = value
  expect(inDevelopment()).toBe(expected)
})
