import { describe, expect, it, jest } from '@jest/globals'
import { allHeaders, firstHeader, headerValues, valuesByName } from './values.ts'

describe('headerValues', () => {
  const lists = headerValues({ accept: ['a', 'b'], 'X-Shouting': ['c'], empty: [] })
  const single = headerValues({ accept: 'b', 'X-Shouting': 'c' })

  it('ignores the case of header names', () => {
    for (const values of [lists, single]) {
      expect(values.first('X-SHOUTING')).toBe('c')
      expect(values.all('x-shouting')).toEqual(['c'])
      expect(values.has('Accept')).toBe(true)
      expect(values.has('none')).toBe(false)
      expect(values.first('none')).toBeUndefined()
      expect(values.all('none')).toEqual([])
    }
    expect(single.names()).toEqual(['accept', 'x-shouting'])
  })

  it('returns every value of a header', () => {
    expect(lists.first('accept')).toBe('a')
    expect(lists.all('accept')).toEqual(['a', 'b'])
    expect(lists.first('empty')).toBeUndefined()
    expect(single.all('accept')).toEqual(['b'])
  })

  it('does not find inherited properties', () => {
    expect(firstHeader({}, 'constructor')).toBeUndefined()
    expect(allHeaders({}, '__proto__')).toEqual([])
  })
})

describe('valuesByName', () => {
  it('reads each entry of an iterable only once', () => {
    let walked = 0
    function* entries(): Iterable<readonly [string, string]> {
      for (; walked < 100; walked++) yield [String(walked % 50), 'x']
    }
    expect(valuesByName(entries()).names()).toHaveLength(50)
    expect(walked).toBe(100)
  })

  it('is case-sensitive', () => {
    const values = valuesByName([
      ['a', '1'],
      ['a', ['2']],
    ])
    expect([values.first('a'), values.all('a'), values.has('a'), values.names()]).toEqual([
      '1',
      ['1', '2'],
      true,
      ['a'],
    ])
    expect([values.first('A'), values.all('A'), values.has('A')]).toEqual([undefined, [], false])
  })
})

it('warns in development when a header is read by its AWS name, and the event has it by its neutral name', () => {
  const node = jest.replaceProperty(process, 'env', { ...process.env, NODE_ENV: 'development' })
  const warn = jest.spyOn(console, 'warn').mockReturnValue()
  const headers = headerValues({ 'x-cloud-trace-id': 'Root=1' })
  expect([headers.first('X-Amzn-Trace-Id'), headers.has('x-amzn-oidc-data')]).toEqual([undefined, false])
  expect(headers.first('x-cloud-trace-id')).toBe('Root=1')
  node.restore()
  expect(headers.first('x-amzn-trace-id')).toBeUndefined()
  expect(warn.mock.calls).toEqual([['Write x-cloud-trace-id for the header x-amzn-trace-id.']])
  warn.mockRestore()
})
