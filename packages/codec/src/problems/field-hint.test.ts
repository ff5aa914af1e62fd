import { expect, it } from '@jest/globals'
import { fieldHint } from './field-hint.ts'

it('fieldHint names the nearest field, or all fields', () => {
  expect(fieldHint('bodyy', ['statusCode', 'body'])).toBe('no such field; did you mean body?')
  expect(fieldHint('cookies', ['statusCode', 'body'])).toBe('one of the fields statusCode, body')
})
