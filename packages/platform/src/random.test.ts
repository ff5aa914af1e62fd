import { describe, expect, it } from '@jest/globals'
import { randomHex, randomUuid, systemRandom } from './random.ts'

describe('randomness', () => {
  it('gives as many bytes as asked for, never the same', () => {
    const given = Array.from({ length: 2000 }, () => randomHex(systemRandom, 12))
    expect(new Set(given).size).toBe(2000)
    expect(given.every(hex => /^[0-9a-f]{24}$/.test(hex))).toBe(true)
    expect(systemRandom(10_000)).toHaveLength(10_000)
  })

  it('makes UUIDs of version 4', () => {
    expect(randomUuid(size => new Uint8Array(size).fill(0xff))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
    expect(randomUuid(systemRandom)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  })
})
