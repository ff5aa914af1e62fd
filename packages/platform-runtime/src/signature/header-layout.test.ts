import { describe, expect, it } from '@jest/globals'
import { hasLayout, headerLayout, headerLines } from './header-layout.ts'

const headers = ['Host', 'localhost', 'X-Amz-Date', 'now', 'X-Amz-Meta', ' one  two ', 'x-amz-meta', 'three']

describe('headerLines()', () => {
  it.each([
    ['in the order of the signature', 'x-amz-date;host', 'x-amz-date:now\nhost:localhost\n'],
    [
      'with all values of a name and single spaces',
      'host;x-amz-meta',
      'host:localhost\nx-amz-meta:one two,three\n',
    ],
    ['without a value for a missing header', 'a;host;z', 'a:\nhost:localhost\nz:\n'],
    ['once for a repeated name', 'host;host', 'host:localhost\n'],
  ])('returns the signed headers %s', (_, signedHeaders, lines) => {
    expect(headerLines(headers, headerLayout(headers, signedHeaders))).toBe(lines)
  })

  it('uses the layout of one request for another request with the same header names', () => {
    const layout = headerLayout(headers, 'host;x-amz-meta')
    const other = headers.map((text, at) => (at % 2 === 0 ? text : `${at}`))
    expect(headerLines(other, layout)).toBe('host:1\nx-amz-meta:5,7\n')
  })
})

describe('hasLayout()', () => {
  const layout = headerLayout(headers, 'host')

  it.each<[what: string, expected: boolean, other: readonly string[]]>([
    ['the same names', true, headers.map((text, at) => (at % 2 === 0 ? text : ''))],
    ['a different name', false, headers.with(2, 'X-Amz-Data')],
    ['a name in lower case', false, headers.with(0, 'host')],
    ['a different order', false, [...headers.slice(2), ...headers.slice(0, 2)]],
    ['one more header', false, [...headers, 'A', 'b']],
    ['one header fewer', false, headers.slice(0, -2)],
  ])('finds whether the layout fits a request with %s', (_, expected, other) => {
    expect(hasLayout(other, layout)).toBe(expected)
  })
})

describe('headerLayout()', () => {
  it.each([
    ['the host', 'x-amz-date;x-amz-meta', 'Host'],
    ['a header of the service', 'host;x-amz-date', 'X-Amz-Meta'],
    ['nothing', 'host;x-amz-date;x-amz-meta', undefined],
  ])('reports %s as unsigned', (_, signedHeaders, unsigned) => {
    expect(headerLayout(headers, signedHeaders).unsigned).toBe(unsigned)
  })

  it('has at most one line for each header, even when a client repeats signed names', () => {
    const names = Array.from({ length: 2000 }, () => ['a', '1']).flat()
    const { lines } = headerLayout(names, Array.from({ length: 8000 }, () => 'a').join(';'))
    expect(lines).toHaveLength(2000)
  })
})
