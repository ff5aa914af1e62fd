import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { paintFor, plain } from './paint.ts'
import { printable, printableJson, printableLines, printableWriting } from './printable.ts'

it('printed untrusted text shows a symbol in place of each control character', () => {
  expect(printable('a\u001b[31mred\u0007\r\nb\t\u007f\u009b2J\u202egpj.exe')).toBe(
    'a\u241b[31mred\u2407\u240d\u240ab\u2409\u2421\ufffd2J\ufffdgpj.exe',
  )
  expect(printableLines('one\r\ntwo\n\tthree\u001b]0;title\u0007\rover')).toBe(
    'one\ntwo\n\tthree\u241b]0;title\u2407\u240dover',
  )
  expect(printable('Grüße, 你好 👋')).toBe('Grüße, 你好 👋')
})

it('the printed output of a function keeps its colours, and shows symbols for other control characters', () => {
  const colored = paintFor({ isTTY: true }, {})
  const text = '\ta \u001b[1;31mred\u001b[m \u001b[2Jb\u001b]0;title\u0007\rc\u202ed'
  expect(printableWriting(text, colored)).toBe(
    '\ta \u001b[1;31mred\u001b[m \u241b[2Jb\u241b]0;title\u2407\u240dc\ufffdd',
  )
  // A file or a pipe gets no colours, not even those of the function.
  expect(printableWriting(text, plain)).toBe('\ta red \u241b[2Jb\u241b]0;title\u2407\u240dc\ufffdd')
})

it('printed JSON escapes every control character, and keeps its value', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  fc.assert(
    fc.property(text, held => {
      const harmless = /^[^\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]*$/u
      expect(printable(held)).toMatch(harmless)
      expect(printableLines(held).replaceAll(/[\n\t]/g, '')).toMatch(harmless)
      expect(printableJson({ held })).toMatch(harmless)
      expect(JSON.parse(printableJson({ held }))).toEqual({ held })
    }),
    { numRuns: 1000 },
  )
})
