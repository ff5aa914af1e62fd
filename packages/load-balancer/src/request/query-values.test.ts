import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { requestEvent } from '../contract/index.ts'
import { arbitraryQuery } from '../testing/arbitrary.ts'
import { queryValues } from './query-values.ts'

describe('queryValues', () => {
  it.each([
    ['a+b', 'a b'],
    ['a%2Bb', 'a+b'],
    ['a%20b', 'a b'],
    ['%C3%A9', 'é'],
    ['%2525', '%25'],
    ['100%', '100%'],
    ['%zz%20', '%zz '],
    ['%C3', '\ufffd'],
    ['a=b', 'a=b'],
    ['a%26b&c%zz', 'a&b&c%zz'],
  ])('decodes the value %p only once', (raw, decoded) => {
    expect(queryValues({ q: raw }).first('q')).toBe(decoded)
    expect(queryValues({ q: [raw, 'x'] }).all('q')).toEqual([decoded, 'x'])
  })

  it('merges names that are equal after decoding', () => {
    const values = queryValues({ a: ['1'], '%61': ['2'], 'b+c': ['3'] })
    expect(values.all('a')).toEqual(['1', '2'])
    expect(values.first('b c')).toBe('3')
    expect(values.names()).toEqual(['a', 'b c'])
    expect([values.has('a'), values.has('%61')]).toEqual([true, false])
  })

  it('does not find inherited properties', () => {
    for (const values of [queryValues({ a: [] }), queryValues({ '%61': [] })]) {
      expect(values.first('constructor')).toBeUndefined()
      expect(values.all('__proto__')).toEqual([])
      expect(values.has('toString')).toBe(false)
      expect(values.first('a')).toBeUndefined()
      expect(values.names()).toEqual(['a'])
    }
  })

  it('returns the same values as URLSearchParams for any query', () => {
    fc.assert(
      fc.property(arbitraryQuery(), query => {
        const event = requestEvent(
          { method: 'GET', path: '/', query },
          { targetGroupArn: '', multiValue: true },
        )
        const values = queryValues(event.multiValueQueryStringParameters!)
        const web = new URLSearchParams(query)
        expect(new Set(values.names())).toEqual(new Set(web.keys()))
        // The event has a separate entry for each encoding of a name, so the order of their values is lost.
        for (const name of web.keys()) expect(values.all(name).toSorted()).toEqual(web.getAll(name).sort())
      }),
      { numRuns: 400 },
    )
  })
})
