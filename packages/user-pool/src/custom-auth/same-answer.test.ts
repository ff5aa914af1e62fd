import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { sameAnswer } from './same-answer.ts'

it('sameAnswer gives the same result as === for any two strings', () => {
  const texts = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      expect(sameAnswer(a, b)).toBe(a === b)
      expect(sameAnswer(a, a)).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

it('sameAnswer distinguishes strings of different lengths and different lone surrogates', () => {
  expect(sameAnswer('424242', '4242420')).toBe(false)
  expect(sameAnswer('\ud800', '\ud801')).toBe(false)
  expect(sameAnswer('', '')).toBe(true)
})

it('sameAnswer returns false when either value is not a string', () => {
  expect(sameAnswer('', undefined)).toBe(false)
  expect(sameAnswer(undefined, undefined)).toBe(false)
  expect(sameAnswer(null, null)).toBe(false)
  expect(sameAnswer('424242', 424242 as never)).toBe(false)
})
