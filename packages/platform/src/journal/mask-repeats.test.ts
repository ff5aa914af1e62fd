import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { maskJson } from './mask.ts'
import { maskRepeats } from './mask-repeats.ts'

const secret = 'hunter2-hunter2'

describe('maskRepeats', () => {
  it('masks a secret wherever it is repeated, and the parts of one', () => {
    const { secrets } = maskJson(JSON.stringify({ headers: { authorization: `Bearer ${secret}` } }))
    expect(maskRepeats(`token ${secret}, Bearer ${secret}.`, secrets)).toBe('token ***, ***.')
  })

  it('masks a secret however it is escaped there', () => {
    const said = 'pass "word" \\ ö&1'
    const { secrets } = maskJson(JSON.stringify({ password: said }))
    const texts = [said, JSON.stringify(said), JSON.stringify(JSON.stringify(said)), encodeURIComponent(said)]
    expect(maskRepeats(texts.join(' '), secrets)).toBe('*** "***" "\\"***\\"" ***')
  })

  it('masks the longest of many at each place, and leaves everything else', () => {
    const letters = (maxLength: number) =>
      fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\ud83d'), maxLength })
    fc.assert(
      fc.property(letters(60), fc.array(letters(5), { maxLength: 12 }), (text, found) => {
        // So many that they are not looked for one after the other.
        const many = [...found, ...Array.from({ length: 64 }, (_, i) => `x${i}`)]
        let expected = ''
        for (let at = 0; at < text.length; ) {
          const here = found.filter(each => each !== '' && text.startsWith(each, at))
          const longest = Math.max(0, ...here.map(each => each.length))
          expected += longest > 0 ? '***' : text[at]
          at += longest || 1
        }
        expect(maskRepeats(text, many)).toBe(expected)
      }),
      { numRuns: 1000 },
    )
  })

  it('goes through a text once for thousands of secrets', () => {
    const all = Array.from({ length: 50_000 }, (_, i) => `${secret}-${i}`)
    expect(maskRepeats(all.join(' '), all)).toBe(all.map(() => '***').join(' '))
  })
})
