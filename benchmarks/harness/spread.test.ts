import { describe, expect, it } from '@jest/globals'
import { spread } from './spread.ts'

describe('spread', () => {
  it('is the median of an odd number of values, with the least and the greatest', () => {
    expect(spread([3, 10, 1])).toEqual({ median: 3, low: 1, high: 10 })
  })

  it('takes the middle of the two middle values of an even number', () => {
    expect(spread([4, 1, 2, 100])).toEqual({ median: 3, low: 1, high: 100 })
  })
})
