import { describe, expect, it } from '@jest/globals'
import PostalMime from 'postal-mime'
import { MailNotParsedError } from '../errors.ts'
import { parseMail } from './parse-mail.ts'

const crlf = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n`

const program = crlf(
  'Content-Type: application/octet-stream',
  'Content-Disposition: attachment; filename=setup.exe',
  '',
  'MZ',
)

const multipart = (...parts: readonly string[]) =>
  crlf('Content-Type: multipart/mixed; boundary=x', '', ...parts.flatMap(part => ['--x', part]), '--x--')

/** Returns a part inside nested multiparts. */
function nested(depth: number, inside: string): string {
  let mail = inside
  for (let level = depth; level > 0; level--)
    mail = crlf(`Content-Type: multipart/mixed; boundary=b${level}`, '', `--b${level}`, mail, `--b${level}--`)
  return mail
}

const message = (content: string, encoding = '7bit') =>
  crlf(
    'Content-Type: message/rfc822',
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    encoding === '7bit' ? content : Buffer.from(content).toString('base64'),
  )

describe('parseMail', () => {
  it('decodes raw bytes within an encoded word of a header by the charset of the word', async () => {
    const raw = Buffer.from('Subject: =?iso-8859-1?Q?Fr\xf6sche?=\r\n\r\n=?iso-8859-1?Q?\xf6?=', 'latin1')
    const { subject, text } = await parseMail(raw)
    expect({ subject, text }).toEqual({ subject: 'Frösche', text: '=?iso-8859-1?Q?\ufffd?=\n' })
  })

  it('parses headers, text and attachments, with characters of any language', async () => {
    const raw = crlf(
      'From: =?utf-8?q?D=C3=B6rte?= <doerte@office.example>',
      'To: Team: ann@office.example, bob@office.example;',
      'Content-Type: multipart/mixed; boundary=x',
      '',
      '--x',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Grüße',
      '--x',
      'Content-Type: application/pdf; name=a.pdf',
      'Content-Disposition: attachment; filename=a.pdf',
      'Content-Transfer-Encoding: base64',
      '',
      'JVBERi0=',
      '--x--',
    )
    for (const given of [raw, Buffer.from(raw), new Uint8Array(Buffer.from(raw))]) {
      const mail = await parseMail(given)
      expect(mail).toMatchObject({
        from: { name: 'Dörte', address: 'doerte@office.example' },
        to: [{ name: 'Team', group: [{ address: 'ann@office.example' }, { address: 'bob@office.example' }] }],
        text: expect.stringContaining('Grüße'),
        attachments: [{ filename: 'a.pdf', mimeType: 'application/pdf' }],
      })
      expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer).toString()).toBe('%PDF-')
    }
  })

  it('finds the attachments of messages that are attached to a mail', async () => {
    const forwarded = multipart(message(multipart(crlf('', 'Look!'), program)))
    const mail = await parseMail(forwarded, { parser: PostalMime })
    expect(mail.attachments).toMatchObject([{ filename: 'setup.exe' }])
    expect(mail.text).toContain('Look!')
  })

  it.each([
    ['a program within 300 multiparts', nested(300, program), {}, /nesting depth of 50 levels exceeded/],
    ['a program after 200,000 parts', multipart('\r\n--x\r\n'.repeat(200_000), program), {}, '5000 parts'],
    ['eight million short lines', `\r\n${'x\r\n'.repeat(8_000_000)}`, {}, 'more than 350000 lines'],
    ['a mail above maxSize', `\r\n${'x'.repeat(2000)}`, { maxSize: 2000 }, 'more than 2000 bytes'],
    [
      'parts within an encoded message',
      multipart(message(multipart('\r\n--x\r\n'.repeat(200)), 'base64')),
      { maxParts: 100 },
      'more than 100 parts',
    ],
    [
      'lines within an encoded message',
      message(`\r\n${'x\r\n'.repeat(2000)}`, 'base64'),
      { maxLines: 1000 },
      'more than 1000 lines',
    ],
    [
      'thousands of messages nested in each other',
      'Content-Type: Message/RFC822\r\n\r\n'.repeat(20_000),
      {},
      '5000 parts',
    ],
    [
      'many long messages in one mail',
      multipart(...Array(5).fill(message(`\r\n${'x\r\n'.repeat(900)}`, 'base64'))),
      { maxLines: 1000 },
      'more than 1000 lines',
    ],
    [
      'more than 50 levels of nested messages',
      Array(60)
        .fill(0)
        .reduce((inside: string) => message(inside), program),
      {},
      'more than 50 levels of nested messages',
    ],
  ])('refuses %s', async (_, raw, limits, why) => {
    const parsing = parseMail(raw, limits)
    await expect(parsing).rejects.toThrow(MailNotParsedError)
    await expect(parsing).rejects.toThrow(why)
    await expect(parsing).rejects.toMatchObject({
      code: 'MAIL_NOT_PARSED',
      message: expect.stringMatching(/^The mail was not parsed: [^.]+\.$/),
    })
  })

  it('parses a mail that is exactly at the limits, but refuses it when any limit is lower by one', async () => {
    const raw = multipart(crlf('', 'a'), nested(2, program))
    const limits = { maxSize: raw.length, maxLines: raw.split('\n').length, maxParts: 7, maxDepth: 3 }
    expect((await parseMail(raw, limits)).attachments).toHaveLength(1)
    for (const name of Object.keys(limits) as (keyof typeof limits)[])
      await expect(parseMail(raw, { ...limits, [name]: limits[name] - 1 })).rejects.toThrow(
        MailNotParsedError,
      )
  })

  it('reports a parser failure even if the thrown value is a string', async () => {
    const parser = { parse: () => Promise.reject('broken') }
    await expect(parseMail('', { parser })).rejects.toThrow('The mail was not parsed: broken.')
  })

  it.each([
    [{ maxPart: 1 }, /maxPart/],
    [{ maxParts: 0 }, 'parseMail(): maxParts is 0, expected a whole number above 0'],
    [{ maxDepth: '9' }, 'parseMail(): maxDepth is "9", expected a whole number above 0'],
  ])('refuses invalid limits such as %j', async (limits, why) => {
    await expect(parseMail('', limits as object)).rejects.toThrow(why)
  })
})
