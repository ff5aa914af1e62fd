import { afterEach, expect, it } from '@jest/globals'
import { inDevelopment, inDevelopmentOrTest } from './index.ts'

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

it.each([
  ['development', true],
  ['production', false],
  ['test', true],
])('with NODE_ENV=%s, inDevelopmentOrTest() is %s', (value, expected) => {
  process.env.NODE_ENV = value
  expect(inDevelopmentOrTest()).toBe(expected)
})

it('without NODE_ENV, both inDevelopment() and inDevelopmentOrTest() are false', () => {
  delete process.env.NODE_ENV
  expect([inDevelopment(), inDevelopmentOrTest()]).toEqual([false, false])
})
