import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { xmlText } from './xml-text.ts'

it.each([
  ['markup', '<a href="b">\'c\' & d</a>', "&lt;a href=&quot;b&quot;&gt;'c' &amp; d&lt;/a&gt;"],
  ['carriage returns', 'a\r\nb\tc', 'a&#xD;\nb\tc'],
  ['control characters', 'a\u0000\u0008\u000b\u000c\u000e\u001fb', `a${'\ufffd'.repeat(6)}b`],
  ['noncharacters', '\ufffe\uffff\ufffd', '\ufffd\ufffd\ufffd'],
  ['lone surrogates', '\ud800 \udc00 \u{1f600} ￰', '\ufffd \ufffd \u{1f600} ￰'],
  ['plain text', 'plain ä 你', 'plain ä 你'],
])('xmlText() writes %s as valid XML', (_case, text, xml) => {
  expect(xmlText(text)).toBe(xml)
})

it('xmlText() returns the same text as a function that replaces each character separately', () => {
  const named: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    '\r': '&#xD;',
  }
  const expected = (text: string) =>
    Array.from(text, each =>
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot have them
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/u.test(each)
        ? '\ufffd'
        : (named[each] ?? each),
    ).join('')
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom('&', '\r', '\ufffe', '\uffff', '\ud800'),
      fc.string({ unit: 'binary', maxLength: 1 }),
    ),
  })
  fc.assert(fc.property(text, each => expect(xmlText(each)).toBe(expected(each))))
})
