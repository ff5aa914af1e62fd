import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { spellings } from './findings.ts'
import { maskText } from './mask.ts'
import { repeatsOf } from './mask-repeats.ts'

const secret = 'hunter2-hunter2'
const maskRepeats = (text: string, secrets: Iterable<string>) => repeatsOf(secrets).all(text)

describe('maskRepeats()', () => {
  it('masks each repetition of a secret and of its parts', () => {
    const { secrets } = maskText(JSON.stringify({ headers: { authorization: `Bearer ${secret}` } }))
    expect(maskRepeats(`token ${secret}, Bearer ${secret}.`, secrets)).toBe('token ***, ***.')
  })

  it('masks a repeated secret regardless of how it is escaped', () => {
    const said = 'pass "word" \\ ö&1'
    const { secrets } = maskText(JSON.stringify({ password: said }))
    const texts = [said, JSON.stringify(said), JSON.stringify(JSON.stringify(said)), encodeURIComponent(said)]
    expect(maskRepeats(texts.join(' '), spellings(secrets))).toBe('*** "***" "\\"***\\"" ***')
  })

  it('masks a short secret only as a whole word', () => {
    expect(maskRepeats('pin 4711, not 14711 or 47110', ['4711'])).toBe('pin ***, not 14711 or 47110')
  })

  it('masks all secrets in a string, and keeps the rest', () => {
    const letters = (minLength: number, maxLength: number) =>
      fc.string({ unit: fc.constantFrom('a', 'b', '\ud83d'), minLength, maxLength })
    fc.assert(
      fc.property(letters(0, 200), fc.array(letters(8, 100), { maxLength: 12 }), (text, found) => {
        const masked = maskRepeats(`${text}c${found[0] ?? ''}c${text}`, found)
        for (const each of found) expect(masked).not.toContain(each)
        if (!found.some(each => text.includes(each.slice(0, 8)))) expect(masked.startsWith(text)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('quickly masks tens of thousands of secrets in one string', () => {
    const all = Array.from({ length: 50_000 }, (_, i) => `${i}-${secret}`)
    expect(maskRepeats(all.join(' '), all)).toBe(all.map(() => '***').join(' '))
  })

  it('replaces a long secret with a single mark', () => {
    const long = Array.from({ length: 1000 }, (_, i) => i).join('-')
    expect(maskRepeats(`a ${long} b ${long.slice(0, -1)}`, [long])).toMatch(/^a \*\*\* b \*\*\*[\d-]*$/)
  })
})
