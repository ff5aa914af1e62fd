import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { brokenAt } from './broken-at.ts'

/** Returns whether a string is not valid JSON. */
function broken(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
}

describe('brokenAt()', () => {
  it.each([
    ['', 0],
    ['  ', 2],
    ['x', 0],
    ['{"a":1,}', 7],
    ['{,}', 1],
    ['{"a" 1}', 5],
    ['{"a":1 "b":2}', 7],
    ['{"a":1', 6],
    ['{"a"', 4],
    ['{a:1}', 1],
    ['{1:1}', 1],
    ['{"a":}', 5],
    ['[1,]', 3],
    ['[,1]', 1],
    ['[1 2]', 3],
    ['[1}', 2],
    ['{]', 1],
    ['[', 1],
    [']', 0],
    ['1 2', 2],
    ['1,', 1],
    ['{}}', 2],
    ['01', 1],
    ['-', 0],
    ['1.', 1],
    ['.5', 0],
    ['tru', 0],
    ['nulls', 4],
    ['"abc', 4],
    ['"a\nb"', 2],
    ['"\\x"', 1],
    ['"\\u12g4"', 1],
    ['["\\u0041\\u00e9",x]', 16],
    ['[1e5 2]', 5],
    ['[1E-5,]', 6],
    ["'a'", 0],
    ['[1,2,3,{"deep":[tru]}]', 16],
    ['\ufeff{}', 0],
    ['[1,\u00a02]', 3],
    ['{"a":"\u2028", b}', 10],
  ])('for the text %j, returns the position %i', (text, position) => {
    expect(broken(text)).toBe(true)
    expect(brokenAt(text)).toBe(position)
  })

  it('finds a character that makes valid JSON text invalid', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), fc.nat(), (json, place) => {
        // Strings may contain any character, so the test replaces their contents with letters.
        const text = json.replace(/"(?:[^"\\]|\\.)*"/g, string => `"${'s'.repeat(string.length - 2)}"`)
        const at = place % (text.length + 1)
        const changed = `${text.slice(0, at)}\u0000${text.slice(at)}`
        const found = brokenAt(changed)
        // The position may be the start of a number or word that contains the error.
        expect(found).toBeLessThanOrEqual(at)
        expect(changed.slice(found, at)).toMatch(/^[-+.\w]*$/)
      }),
    )
  })

  it('returns a position within the string for any invalid JSON', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '1',
      '-',
      'true',
      ' ',
      'a',
      '\u0000',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece).map(all => all.join('')),
        ),
        text => {
          fc.pre(broken(text))
          const at = brokenAt(text)
          expect(at).toBeGreaterThanOrEqual(0)
          expect(at).toBeLessThanOrEqual(text.length)
        },
      ),
    )
  })

  it('finds the position in long JSON and in deeply nested JSON', () => {
    expect(brokenAt('['.repeat(1_000_000))).toBe(1_000_000)
    expect(brokenAt(`"${'a\\n'.repeat(1_000_000)}`)).toBe(3_000_001)
    expect(brokenAt(`[${'"abc",'.repeat(200_000)}]`)).toBe(1_200_001)
  })
})
