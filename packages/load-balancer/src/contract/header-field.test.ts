import { describe, expect, it } from '@jest/globals'
import { connectionOptions, isFieldName, isFieldValue, isHopByHop } from './header-field.ts'

describe('header fields', () => {
  it('have names that consist of token characters', () => {
    for (const name of ['x-a', 'ETag', "!#$%&'*+.^_`|~"]) expect(isFieldName(name)).toBe(true)
    for (const name of ['', 'a b', 'a:', 'é', 'a\n', 'a\0']) expect(isFieldName(name)).toBe(false)
  })

  it('have values that consist of one-byte characters without control characters', () => {
    for (const value of ['', 'a\tb', 'caf\u00e9']) expect(isFieldValue(value)).toBe(true)
    for (const value of ['\r', 'a\nb', 'a\n', '\0', '\x7f', '€']) expect(isFieldValue(value)).toBe(false)
  })

  it('are either hop-by-hop or end-to-end', () => {
    expect(isHopByHop('Keep-Alive')).toBe(true)
    expect(isHopByHop('etag')).toBe(false)
  })

  it('are hop-by-hop when the connection header lists them', () => {
    const lines = [
      ['Connection', 'close, X-One'],
      ['x-one', '1'],
      ['connection', 'X-TWO'],
      ['connections', 'x-three'],
    ] as const
    expect([...connectionOptions(lines)!]).toEqual(['close', 'x-one', 'x-two'])
    expect(connectionOptions([['x-one', '1']])).toBeUndefined()
  })
})
