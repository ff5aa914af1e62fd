import { describe, expect, it } from '@jest/globals'
import { hexSource, randomHex, randomUuid, systemRandom, uuidSource } from './random.ts'

describe('randomness', () => {
  it('returns the requested number of bytes, and different bytes each time', () => {
    const drawn = Array.from({ length: 2000 }, () => randomHex(systemRandom, 12))
    expect(new Set(drawn).size).toBe(2000)
    expect(drawn.every(hex => /^[0-9a-f]{24}$/.test(hex))).toBe(true)
    expect(systemRandom(10_000)).toHaveLength(10_000)
  })

  it('makes version 4 UUIDs', () => {
    expect(randomUuid(size => new Uint8Array(size).fill(0xff))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
    expect(randomUuid(systemRandom)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  })

  it('makes many UUIDs at a time from the bytes of its random source', () => {
    let asked = 0
    const counting = (size: number) => {
      asked++
      return Uint8Array.from({ length: size }, (_, i) => i % 251)
    }
    const next = hexSource(counting, 12)
    expect([next(), next()]).toEqual(['000102030405060708090a0b', '0c0d0e0f1011121314151617'])
    const drawn = Array.from({ length: 1000 }, hexSource(systemRandom, 12))
    expect(new Set(drawn).size).toBe(1000)
    expect(asked).toBe(1)
    const filled = (byte: number) => uuidSource(size => new Uint8Array(size).fill(byte))()
    expect(filled(0xff)).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
    expect(filled(0)).toBe('00000000-0000-4000-8000-000000000000')
    const uuids = Array.from({ length: 1000 }, uuidSource(systemRandom))
    expect(new Set(uuids).size).toBe(1000)
    for (const uuid of uuids)
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})
