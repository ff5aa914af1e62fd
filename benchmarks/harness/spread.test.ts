import { describe, expect, it } from '@jest/globals'
import { spread } from './spread.ts'

describe('spread', () => {
  it('returns the median, minimum and maximum of an odd number of values', () => {
    expect(spread([3, 10, 1])).toEqual({ median: 3, low: 1, high: 10 })
  })

  it('takes the mean of the two middle values as the median of an even number of values', () => {
    expect(spread([4, 1, 2, 100])).toEqual({ median: 3, low: 1, high: 100 })
  })
})
