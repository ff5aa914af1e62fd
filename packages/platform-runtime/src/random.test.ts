import { describe, expect, it } from '@jest/globals'
import { randomHex, randomUuid, systemRandom } from './random.ts'

describe('randomness', () => {
  it('returns the requested number of bytes, and different bytes each time', () => {
    const drawn = Array.from({ length: 2000 }, () => randomHex(systemRandom, 12))
    expect(new Set(drawn).size).toBe(2000)
    expect(drawn.every(hex => /^[0-9a-f]{24}$/.test(hex))).toBe(true)
    expect(systemRandom(10_000)).toHaveLength(10_000)
  })

  it('writes each byte as two hexadecimal digits', () => {
    expect(randomHex(size => Uint8Array.from({ length: size }, (_, i) => i), 4)).toBe('00010203')
  })

  it('makes version 4 UUIDs', () => {
    expect(randomUuid(size => new Uint8Array(size))).toBe('00000000-0000-4000-8000-000000000000')
    expect(randomUuid(size => new Uint8Array(size).fill(0xff))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
    expect(randomUuid(systemRandom)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  })
})
