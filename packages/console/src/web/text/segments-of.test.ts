import { describe, expect, it } from '@jest/globals'
import { plainText, segmentsOf } from './segments-of.ts'

describe('segmentsOf', () => {
  it('escapes characters that change how text is displayed, and keeps all other characters', () => {
    expect(segmentsOf('a\u202eb\x1b[31m')).toEqual([
      { text: 'a', isEscape: false },
      { text: '\\u{202e}', isEscape: true },
      { text: 'b', isEscape: false },
      { text: '\\e', isEscape: true },
      { text: '[31m', isEscape: false },
    ])
    expect(segmentsOf('שלום 👋 <b>')).toEqual([{ text: 'שלום 👋 <b>', isEscape: false }])
    expect(segmentsOf('')).toEqual([])
  })

  it('returns adjacent escapes as one segment', () => {
    expect(segmentsOf(`a${'\u202e'.repeat(3)}\0b\x1b`)).toEqual([
      { text: 'a', isEscape: false },
      { text: '\\u{202e}\\u{202e}\\u{202e}\\0', isEscape: true },
      { text: 'b', isEscape: false },
      { text: '\\e', isEscape: true },
    ])
  })

  it.each([
    ['a line break', 'a\nb', 'a\\nb'],
    ['a null character', '\0', '\\0'],
    ['a lone surrogate', '\ud800', '\\u{d800}'],
    ['a tag', '\u{e0041}', '\\u{e0041}'],
    ['a zero-width space', 'a\u200bb', 'a\\u{200b}b'],
    ['a control character of Latin-1', '\x85', '\\x85'],
    ['a directional isolate', '\u2066x\u2069', '\\u{2066}x\\u{2069}'],
  ])('escapes %s', (_what, text, shown) => {
    expect(plainText(text)).toBe(shown)
  })

  it('keeps the line breaks and tabs of a multi-line text', () => {
    expect(segmentsOf('a\r\n\tb\rc', { hasLines: true }).map(({ text }) => text)).toEqual([
      'a\n\tb',
      '\\r',
      'c',
    ])
  })
})
