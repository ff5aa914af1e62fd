import { describe, expect, it } from '@jest/globals'
import { bytesInWords, durationInWords, exactTime, relativeTime, spanInWords } from './words-of-time.ts'

describe('relativeTime', () => {
  it.each([
    [1000, 'just now'],
    [59_999, '59 s ago'],
    [60_000, '1 min ago'],
    [7200_000, '2 h ago'],
    [49 * 3600_000, '2 d ago'],
    [-90_000, 'in 1 min'],
  ])('describes now minus %d ms as "%s"', (ago, words) => {
    expect(relativeTime(1e12 - ago, 1e12)).toBe(words)
  })
})

describe('durationInWords', () => {
  it.each([
    [0, '0 ms'],
    [0.26, '0.3 ms'],
    [45.4, '45 ms'],
    [1530, '1.53 s'],
    [15_040, '15 s'],
    [61_000, '1 min'],
  ])('describes %d ms as "%s"', (milliseconds, words) => {
    expect(durationInWords(milliseconds)).toBe(words)
  })
})

it('spanInWords(), bytesInWords() and exactTime() format durations, sizes and times for display', () => {
  expect(spanInWords(240 * 60_000)).toBe('4 h')
  expect([0, 999, 1500, 10_000_000].map(bytesInWords)).toEqual(['0 B', '999 B', '1.5 kB', '10 MB'])
  expect(exactTime(0)).toContain('(1970-01-01T00:00:00.000Z)')
  expect(exactTime(Number.NaN)).toBe('an invalid time')
})
