import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { withWholeLines } from './line-limit.ts'
import { newContent } from './new-content.ts'

const mail = (head: string, body = 'Hi!\r\n') => Buffer.from(`${head}\r\n\r\n${body}`, 'latin1')
const before = mail(
  'Received: from a\r\n\tby b\r\nFrom: =?utf-8?q?Gr=C3=BC=C3=9Fe?= <ann@far.example>\r\nTo: bob\r\nSubject: Hello',
)
const result = (content: Buffer, was = before, limit = 10_000) => {
  const found = newContent(content, was, limit)
  return typeof found === 'string' ? found : found.toString('latin1')
}

it('a new content has CRLF as line ends', () => {
  expect(result(Buffer.from(before.toString('latin1').replaceAll('\r\n', '\n')))).toBe(
    before.toString('latin1'),
  )
  const line = fc.constantFrom('\r', '\n', 'a')
  fc.assert(
    fc.property(fc.array(line), lines => {
      const text = lines.join('')
      return withWholeLines(Buffer.from(text)).toString() === text.replace(/\r\n?|\n/g, '\r\n')
    }),
  )
})

it('a fixed header may be folded in another way, and others may change', () => {
  const from = 'From:\r\n =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\t<ann@far.example>'
  const changed = mail(`Received: from a by b\r\n${from}\r\nTo: carol\r\nSubject: Other\r\nX-New: x`)
  expect(result(changed)).toBe(changed.toString('latin1'))
})

it.each([
  ['another author', 'The header from must stay as it was.', ['ann@', 'eve@']],
  [
    'an author in an encoded word',
    'The header from must stay as it was.',
    ['?= <ann@far.example>', '_<ann=40far.example>?='],
  ],
  ['an author behind a no-break space', 'The header from must stay as it was.', ['<ann@', '\xa0<ann@']],
  [
    'an author whose header has a name that is too long',
    'A header without a readable name must stay as it was.',
    ['To:', `From${' '.repeat(100)}: eve@far.example\r\nTo:`],
  ],
  ['another trace', 'The header received must stay as it was.', ['from a', 'from c']],
  ['a trace more', 'The header received must stay as it was.', ['From:', 'Received: from x\r\nFrom:']],
  ['a date that the mail lacked', 'The header date must stay as it was.', ['To:', 'Date: x\r\nTo:']],
  ['two subjects', 'The header subject must occur once.', ['To:', 'Subject: a\r\nTo:']],
  ['no body', 'The content is not a mail', ['\r\n\r\nHi!\r\n', '']],
  ['a line that is no header', 'The content is not a mail', ['To:', 'To the\r\nTo:']],
  ['a long line', 'The content has a line of more than 998 bytes.', ['Hi!', 'x'.repeat(999)]],
  ['more bytes than a mail may have', 'The content has 20', ['Hi!', 'x\n'.repeat(6700)]],
] as const)('a new content with %s is refused', (_, message, [old, other]) => {
  expect(result(Buffer.from(before.toString('latin1').replace(old, other), 'latin1'))).toContain(message)
})

it('a new content with headers beyond the first megabyte is refused', () => {
  const filler = `X-Filler: ${'x'.repeat(88)}\r\n`.repeat(10_486)
  const first = before.indexOf('\r\n\r\n') + 2
  const cutAtLineEnd = `${'X: '.padEnd(1024 * 1024 - first, 'x')}\r\n`
  const large = (more: string) =>
    Buffer.from(before.toString('latin1').replace('\r\n\r\n', `\r\n${more}From: eve@far.example\r\n\r\n`))
  for (const more of [filler, cutAtLineEnd])
    expect(result(large(more), before, 2_000_000)).toContain('The content is not a mail')
})

it('what a mail already had is no reason to refuse its new content', () => {
  const long = `${'X'.repeat(100)}: x`
  const odd = mail(`From: a@b.example\r\nSubject: a\r\nSubject: b\r\n${long}`, 'x'.repeat(2000))
  expect(result(odd, odd)).toBe(odd.toString('latin1'))
})
