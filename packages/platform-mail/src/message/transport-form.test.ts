import { isAscii } from 'node:buffer'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { hasLongLine } from './line-limit.ts'
import { transportForm } from './transport-form.ts'

const nothing = { eightBit: false, utf8: false }
const mail = (...lines: readonly string[]) => Buffer.from(lines.join('\r\n'))

/** Returns the form of a mail for a server without extensions. */
function converted(raw: Buffer, capabilities = nothing): Buffer {
  return transportForm(raw, capabilities).raw
}

it('transportForm() does not change a mail with short ASCII lines', () => {
  const raw = mail('Subject: Hi', 'Content-Transfer-Encoding: 8bit', '', 'x'.repeat(998), '')
  expect(converted(raw)).toBe(raw)
})

describe('for a server without 8BITMIME (RFC 6152)', () => {
  it('text becomes quoted-printable', () => {
    const head = ['MIME-Version: 1.0', 'Content-Type: text/plain; charset=utf-8']
    const raw = mail(...head, 'Content-Transfer-Encoding: 8bit', 'Subject: Hi', '', 'Grüße = 1', '')
    expect(String(converted(raw))).toBe(
      [
        ...head,
        'Subject: Hi',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        'Gr=C3=BC=C3=9Fe =3D 1',
        '',
      ].join('\r\n'),
    )
  })

  it('content that is not text becomes Base64', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index)).filter(
      byte => byte !== 13 && byte !== 10,
    )
    const raw = Buffer.concat([
      mail('MIME-Version: 1.0', 'Content-Type: image/png', 'Content-Transfer-Encoding: binary', '', ''),
      bytes,
    ])
    const form = converted(raw)
    expect(String(form)).toContain('Content-Transfer-Encoding: base64\r\n')
    const { attachments } = await PostalMime.parse(form)
    expect(Buffer.from(attachments[0]!.content as ArrayBuffer)).toEqual(bytes)
  })

  it.each([
    ['utf-8', Buffer.from('Grüße')],
    ['unknown-8bit', Buffer.from('Gr\xfc\xdfe', 'latin1')],
  ])('a mail without MIME headers gets MIME headers with the charset %s (RFC 1428)', (charset, text) => {
    const form = String(converted(Buffer.concat([mail('Subject: Hi', '', ''), text])))
    expect(form).toContain(
      `Subject: Hi\r\nContent-Transfer-Encoding: quoted-printable\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=${charset}\r\n\r\nGr=`,
    )
  })

  const inner = ['--in', 'Content-Type: text/html; charset=utf-8', '', '<b>Dörte</b>', '--in--', 'ende: ü']
  const parts = mail(
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; (a "comment") boundary="a b"',
    'Content-Transfer-Encoding: 8bit',
    '',
    'Vorrede: ä',
    '--a b',
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: 7bit',
    '',
    'plain',
    '--a b  ',
    'Content-Type: multipart/alternative; boundary=in',
    '',
    ...inner,
    '--a b',
    'Content-Type: application/octet-stream',
    'Content-Transfer-Encoding: 8bit',
    'Content-Disposition: attachment; filename=x',
    '',
    'bytes ÿ',
    '--a b',
    'Content-Type: message/rfc822',
    'Content-Transfer-Encoding: 8bit',
    '',
    'Subject: Inside',
    '',
    'Grüße',
    '--a b--',
    '',
  )

  it('each part is converted separately, and parts that need no conversion do not change', async () => {
    const form = converted(parts)
    expect(isAscii(form)).toBe(true)
    const text = String(form)
    expect(text).toContain(
      '\r\nVorrede: ??\r\n--a b\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 7bit\r\n\r\nplain\r\n--a b  \r\n',
    )
    expect(text).toContain('\r\n--in--\r\nende: ??\r\n--a b\r\n')
    expect(text).toMatch(
      /^MIME-Version: 1\.0\r\nContent-Type: multipart\/mixed[^\r]*\r\nContent-Transfer-Encoding: 7bit\r\n\r\n/,
    )
    expect(text).toContain(
      'Content-Type: message/rfc822\r\nContent-Transfer-Encoding: 7bit\r\n\r\nSubject: Inside\r\n',
    )
    expect(text).not.toContain('8bit')
    const [before, after] = [await PostalMime.parse(parts), await PostalMime.parse(form)]
    expect(after).toMatchObject({ html: before.html, text: before.text })
    expect(after.attachments.map(({ content }) => String(Buffer.from(content as ArrayBuffer)))).toEqual([
      'bytes ÿ',
    ])
  })

  it('a mail is converted, while a server with 8BITMIME gets the same mail unchanged', () => {
    expect(converted(parts, { eightBit: true, utf8: false })).toEqual(parts)
  })

  it('a part whose content does not match the declared encoding is encoded again', () => {
    const head = ['MIME-Version: 1.0', 'Content-Type: text/plain']
    const encoded = (encoding: string, body: string) =>
      String(converted(mail(...head, `Content-Transfer-Encoding: ${encoding}`, '', body))).split(
        '\r\n\r\n',
      )[1]
    expect(encoded('Quoted-Printable', 'a=20b ü')).toBe('a=20b =C3=BC')
    expect(encoded('base64', 'SGVs\xa0bG8=')).toBe('SGVsbG8=')
  })

  const part = (type: string, ...lines: readonly string[]) =>
    mail('MIME-Version: 1.0', `Content-Type: ${type}`, '', ...lines, '')
  it.each([
    ['a mail of a type that cannot be encoded', part('message/partial', 'ü')],
    ['a multipart mail without a boundary', part('multipart/mixed', 'ü')],
    [
      'a mail with nested parts that have the same boundary',
      part(
        'multipart/mixed; boundary=b',
        '--b',
        'Content-Type: multipart/mixed; boundary=b',
        '',
        'text',
        '--b',
        '',
        'ü',
      ),
    ],
    [
      'a mail with an unknown encoding',
      mail('MIME-Version: 1.0', 'Content-Type: text/plain', 'Content-Transfer-Encoding: x-uu', '', 'ü'),
    ],
  ])('%s is passed on as it is, as Postfix does', (_what, raw) => {
    expect(converted(raw)).toEqual(raw)
  })

  it('a signed part with 8-bit text is encoded, because its text is worth more than its signature', () => {
    const raw = part('multipart/signed; boundary=b', '--b', '', 'ü', '--b', '', 'sign', '--b--')
    expect(String(converted(raw))).toContain('--b\r\nContent-Transfer-Encoding: quoted-printable\r\n')
    expect(isAscii(converted(raw))).toBe(true)
    expect(converted(raw, { eightBit: true, utf8: false })).toEqual(raw)
  })

  it('parts next to a signed part are converted, and the signed part does not change', () => {
    const signed = ['--s', '', 'signed', '--s', '', 'signature', '--s--']
    const type = 'Content-Type: multipart/signed; boundary=s'
    const raw = part('multipart/mixed; boundary=b', '--b', type, '', ...signed, '--b', '', 'ü', '--b--')
    expect(String(converted(raw))).toContain([type, '', ...signed, '--b'].join('\r\n'))
    expect(isAscii(converted(raw))).toBe(true)
  })
})

describe('non-ASCII headers', () => {
  const subject = mail('Subject: Grüße', '', 'Hi', '')
  const inPart = mail(
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Disposition: attachment; filename="ü"',
    '',
    '--b--',
    '',
  )
  it.each([
    ['of a mail', subject],
    ['of a part', inPart],
  ])('%s stay as they are, for any server', (_case, raw) => {
    for (const eightBit of [true, false])
      expect(transportForm(raw, { eightBit, utf8: false })).toEqual({ raw, eightBitHeaders: true })
  })

  it('are told apart from non-ASCII body text', () => {
    expect(transportForm(mail('Subject: Hi', '', 'ü'), { eightBit: true, utf8: true })).toMatchObject({
      eightBitHeaders: false,
    })
  })
})

describe('lines above 998 bytes (RFC 5321, 4.5.3.1.6)', () => {
  it('are encoded if they are in a body, even with 8BITMIME', () => {
    const head = 'MIME-Version: 1.0\r\nContent-Type: text/plain'
    const form = String(converted(mail(head, '', 'x'.repeat(5000), 'ü'), { eightBit: true, utf8: true }))
    expect(form).toContain('Content-Transfer-Encoding: quoted-printable\r\n\r\nxxx')
    expect(form.replace(/=\r\n/g, '')).toContain(`\r\n\r\n${'x'.repeat(5000)}\r\n=C3=BC`)
  })

  it('are folded at white space if they are headers', () => {
    const to = Array.from({ length: 200 }, (_, index) => `ann${index}@far.example,`).join(' ')
    const form = String(converted(mail(`To: ${to}`, '', 'Hi')))
    expect(hasLongLine(Buffer.from(form))).toBe(false)
    expect(form.replace(/\r\n /g, ' ')).toBe(String(mail(`To: ${to}`, '', 'Hi')))
  })

  it('are folded between any two characters if they are headers without white space', () => {
    for (let before = 0; before < 4; before++) {
      const raw = mail(`X-A:${'a'.repeat(before)}${'€'.repeat(800)}`, '', 'Hi')
      const form = converted(raw, { eightBit: true, utf8: true })
      expect(hasLongLine(form)).toBe(false)
      expect(String(form).replace(/\r\n /g, '')).toBe(String(raw))
    }
  })

  it.each([
    [
      'a signed part',
      'multipart/signed; boundary=b',
      ['--b', '', 'x'.repeat(3000), '--b', '', 'sign', '--b--'],
    ],
    ['a part that cannot be encoded', 'message/partial', ['x'.repeat(3000)]],
    ['a mail with malformed parts', `multipart/mixed; boundary=${'b'.repeat(901)}`, ['x'.repeat(3000)]],
  ])('of %s are short afterwards, too', (_case, type, lines) => {
    const form = converted(mail(`Content-Type: ${type}`, '', ...lines), { eightBit: true, utf8: true })
    expect(hasLongLine(form)).toBe(false)
    expect(String(form).replace(/=?\r\n ?/g, '')).toContain('x'.repeat(3000))
  })

  it('lose the white space after a MIME boundary', () => {
    const raw = mail(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      `--b${' '.repeat(2000)}`,
      '',
      'Hi',
      '--b--',
    )
    expect(String(converted(raw))).toContain('\r\n\r\n--b\r\n\r\nHi\r\n--b--')
  })
})

describe('transportForm()', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...['--a', '--a--', '--b', '--b--', '', '\n', '\r', '\r\n', ' ', ':', '--', 'ü', 'x'.repeat(1200)],
      ...[' '.repeat(1500), 'Content-Type: multipart/mixed; boundary=a', 'Content-Type: message/rfc822'],
      ...['Content-Type: multipart/signed; boundary=b', 'Content-Type: multipart/digest; boundary="b"'],
      ...['Content-Transfer-Encoding: 8bit', 'Content-Transfer-Encoding: base64', 'Content-Type: image/png'],
      'Content-Transfer-Encoding: quoted-printable',
    ),
    fc.string({ unit: 'binary', maxLength: 6 }),
  )
  const anyMail = fc
    .array(fc.tuple(piece, fc.constantFrom('\r\n', '\r\n', '\r\n\r\n', '')), { maxLength: 30 })
    .map(pieces => Buffer.from(pieces.flat().join('')))

  it('converts any mail to a form that a server with 8BITMIME accepts', () => {
    fc.assert(
      fc.property(anyMail, fc.boolean(), fc.boolean(), (raw, eightBit, utf8) => {
        const form = transportForm(raw, { eightBit, utf8 })
        expect(hasLongLine(form.raw)).toBe(false)
        // Parts that need no conversion stay unchanged.
        expect(transportForm(form.raw, { eightBit, utf8 })).toMatchObject({ raw: form.raw })
      }),
      { numRuns: 2000 },
    )
  })
})
