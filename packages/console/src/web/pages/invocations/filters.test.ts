import { describe, expect, it } from '@jest/globals'
import { filterQuery, filtersIn } from './filters.ts'

describe('filtersIn', () => {
  const read = (query: string) => filtersIn(new URLSearchParams(query), 1e12)

  it('ignores empty query parameters and parameters that are not filters of the API', () => {
    expect(read('?function=a&function=b&text=x%26y&verdict=&tab=1')).toEqual({
      function: ['a', 'b'],
      text: 'x&y',
    })
  })

  it('converts times to milliseconds since the epoch', () => {
    expect(read('?since=5m')).toEqual({ from: String(1e12 - 300_000) })
    expect(read('?since=between&from=2020-01-01T00:00:00Z&to=nonsense')).toEqual({ from: '1577836800000' })
    expect(read('?from=2020-01-01')).toEqual({})
  })

  it('returns filters that filterQuery() turns back into the same query string', () => {
    expect(filterQuery(read('?function=a&function=b&text=x%26y'))).toBe('?function=a&function=b&text=x%26y')
    expect(filterQuery({})).toBe('')
  })
})
