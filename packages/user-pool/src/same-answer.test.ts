import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { sameAnswer } from './same-answer.ts'

it('is equality, for any two texts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(sameAnswer(a, b)).toBe(a === b)
      expect(sameAnswer(a, a)).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

it('takes texts of different lengths, and lone surrogates, for what they are', () => {
  expect(sameAnswer('424242', '4242420')).toBe(false)
  expect(sameAnswer('\ud800', '\ud801')).toBe(false)
  expect(sameAnswer('', '')).toBe(true)
})
