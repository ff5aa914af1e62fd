import { describe, expect, it } from '@jest/globals'
import { linePath, niceMaximum } from './plot-paths.ts'

describe('niceMaximum', () => {
  it.each([
    [0, 1],
    [Number.NaN, 1],
    [0.7, 1],
    [3, 5],
    [100, 100],
    [101, 200],
    [6001, 10_000],
  ])('rounds the maximum %d up to %d', (value, most) => {
    expect(niceMaximum(value)).toBe(most)
  })
})

describe('linePath', () => {
  const size = { width: 100, height: 50 }

  it('connects all values', () => {
    expect(linePath([0, 5, 10], 10, size)).toBe('M0 50L50 25L100 0')
  })

  it('leaves gaps for missing values, and shows a value between gaps as a dot', () => {
    expect(linePath([10, Number.NaN, 0], 10, size)).toBe('M0 0h0.01M100 50h0.01')
    expect(linePath([], 10, size)).toBe('')
    expect(linePath([10], 10, size)).toBe('M50 0h0.01')
  })
})
