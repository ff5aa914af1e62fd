import { describe, expect, it } from '@jest/globals'
import { anyText } from '@signalbox/platform-runtime/testing/any-text'
import fc from 'fast-check'
import PostalMime, { type Attachment } from 'postal-mime'
import { type Failure, failureReport } from './failure-report.ts'

const failure: Failure = {
  id: 'mail-1',
  from: 'ann@far.example',
  receivedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  raw: Buffer.from('Message-ID: <1@far.example>\r\nSubject: Hi\r\n\r\nThe body\r\n'),
  recipients: [{ address: 'bob@office.example', status: '5.7.1', text: 'Left the company' }],
  name: 'box.example',
  now: Date.UTC(2026, 0, 2, 3, 5, 0),
  reportId: 'report-1',
}

const contentOf = ({ content }: Attachment) => Buffer.from(content as ArrayBuffer).toString()

async function report(of: Partial<Failure> = {}) {
  const raw = await failureReport({ ...failure, ...of })
  const { text = '', attachments, headers } = await PostalMime.parse(raw)
  const [status, original] = attachments
  return {
    raw: raw.toString(),
    text,
    types: attachments.map(({ mimeType }) => mimeType),
    names: headers.map(({ key }) => key),
    status: contentOf(status!),
    original: contentOf(original!),
  }
}

describe('a delivery report (RFC 3464)', () => {
  it('has a text for people, a part for programs, and the headers of the mail', async () => {
    const { raw, text, types, status, original } = await report()
    expect(raw).toContain('Content-Type: multipart/report; report-type=delivery-status;\r\n')
    expect(text).toBe(
      'This is the mail server box.example. Your mail of Fri, 02 Jan 2026 03:04:05 +0000 was not delivered to:\n\n' +
        '  bob@office.example\n\nLeft the company\n\n\n',
    )
    expect(types).toEqual(['message/delivery-status', 'text/rfc822-headers'])
    expect(status.trimEnd().split('\n')).toEqual([
      'Reporting-MTA: dns; box.example',
      'Arrival-Date: Fri, 02 Jan 2026 03:04:05 +0000',
      '',
      'Final-Recipient: rfc822; bob@office.example',
      'Action: failed',
      'Status: 5.7.1',
      'Diagnostic-Code: x-function; Left the company',
    ])
    expect(original.trimEnd()).toBe('Message-ID: <1@far.example>\nSubject: Hi')
  })

  it('is an automatic reply to the sender (RFC 3834)', async () => {
    const { raw } = await report()
    expect(raw.slice(0, raw.indexOf('Content-Type'))).toBe(
      [
        'Date: Fri, 02 Jan 2026 03:05:00 +0000',
        'From: Mail Delivery System <mailer-daemon@box.example>',
        'To: <ann@far.example>',
        'Subject: Your mail was not delivered',
        'Message-ID: <report-1@box.example>',
        'In-Reply-To: <1@far.example>',
        'References: <1@far.example>',
        'Auto-Submitted: auto-replied',
        'MIME-Version: 1.0',
        '',
      ].join('\r\n'),
    )
  })

  it.each(['Subject: Hi', 'Message-ID: 1@far.example', 'Message-ID: <a b>'])(
    'has no In-Reply-To for a mail with only the header "%s"',
    async line => {
      const { names } = await report({ raw: Buffer.from(`${line}\r\n\r\nThe body\r\n`) })
      expect(names).not.toContain('in-reply-to')
      expect(names).not.toContain('references')
    },
  )

  it('has a group of fields for each recipient, and repeats no text that recipients share (RFC 3464, 2.3)', async () => {
    const text = 'Gone\nfor good'
    const { status, text: words } = await report({
      recipients: [
        { address: 'bob@office.example', status: '5.7.1', text },
        { address: 'eve@far.example', status: '5.1.1', text: '550 5.1.1 No such user' },
        { address: 'ann@office.example', status: '5.7.1', text },
        { address: 'kim@office.example', status: 'nonsense', text: undefined },
      ],
    })
    expect(words).toContain(
      '  bob@office.example\n  ann@office.example\n\nGone\nfor good\n\n  eve@far.example\n\n550 5.1.1 No',
    )
    expect(status.split('\n\n').slice(1)).toEqual([
      'Final-Recipient: rfc822; bob@office.example\nAction: failed\nStatus: 5.7.1\nDiagnostic-Code: x-function; Gone for good',
      'Final-Recipient: rfc822; eve@far.example\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 No such user',
      'Final-Recipient: rfc822; ann@office.example\nAction: failed\nStatus: 5.7.1\nDiagnostic-Code: x-function; Gone for good',
      'Final-Recipient: rfc822; kim@office.example\nAction: failed\nStatus: 5.0.0',
      '',
    ])
  })

  it('uses the address type utf-8 for a non-ASCII address (RFC 6533, 3)', async () => {
    const { status, text } = await report({
      recipients: [{ address: 'dörte+x@bücher.example', status: '5.7.1', text: 'Nicht für Dörte' }],
    })
    expect(status).toContain('Final-Recipient: utf-8; d\\x{F6}rte\\x{2B}x@b\\x{FC}cher.example\n')
    expect(status).toContain('Diagnostic-Code: x-function; Nicht f?r D?rte\n')
    expect(text).toContain('  dörte+x@bücher.example\n\nNicht für Dörte\n')
  })

  it('has the same bytes for the same input', async () => {
    expect((await report()).raw).toBe((await report()).raw)
  })

  it('omits the body and very long headers of the mail', async () => {
    const raw = Buffer.from(`A: b\r\n${`X: ${'y'.repeat(900)}\r\n`.repeat(100)}\r\nThe body`)
    const { original } = await report({ raw })
    expect(original.trimEnd().split('\n')).toHaveLength(73)
    expect(original).not.toContain('The body')
  })
})

describe('texts and addresses in a report', () => {
  const nasty = fc.constantFrom(
    ...[
      '\r\n',
      '\n',
      '\r',
      '\0',
      '\r\n\r\n',
      '\r\n--',
      '--=_',
      '=\r\n',
      '=_',
      '.\r\n',
      '\u2028',
      'é',
      '\ud800',
    ],
    ...[
      'Content-Type: text/html',
      'Bcc: eve@far.example',
      'Action: delivered',
      '<script>',
      ' ',
      '\t',
      '=',
      '?=',
    ],
  )
  const text = fc.array(fc.oneof(nasty, anyText(9)), { maxLength: 30 })
  const words = text.map(parts => parts.join(''))
  const recipient = fc.record({ address: words, status: words, text: fc.option(words, { nil: undefined }) })

  it('cannot add a part or a header', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(recipient, { minLength: 1, maxLength: 4 }),
        words,
        words,
        words,
        async (recipients, head, id, from) => {
          const raw = Buffer.from(`Message-ID: ${id}\r\n${head}\r\n\r\nbody`)
          const { names, types, status } = await report({ recipients, raw, from, name: id, reportId: head })
          const usual =
            'date from to subject message-id in-reply-to references auto-submitted mime-version content-type'
          expect(usual.split(' ')).toEqual(expect.arrayContaining(names))
          expect(new Set(names).size).toBe(names.length)
          expect(types).toEqual(['message/delivery-status', 'text/rfc822-headers'])
          const groups = status.trimEnd().split('\n\n')
          expect(groups).toHaveLength(recipients.length + 1)
          for (const group of groups.slice(1))
            expect(group).toMatch(
              /^Final-Recipient: [ -~]*\nAction: failed\nStatus: [245]\.[\d.]+(?:\nDiagnostic-Code: [ -~]*)?$/,
            )
        },
      ),
      { numRuns: 200 },
    )
  })

  it('are included unchanged, up to 2,000 characters', async () => {
    for (const said of ['ä'.repeat(2000), `${'line\n'.repeat(399)}end`, '-- \n--=_\n.\n=20\nFrom x'])
      expect(
        (await report({ recipients: [{ address: 'b@c', status: '5.7.1', text: said }] })).text,
      ).toContain(`\n${said}\n`)
  })

  it('are cut, so that a short mail does not become a long report', async () => {
    const recipients = Array.from({ length: 10 }, (_, at) => ({
      ...{ address: `bob${at}@office.example`, status: '5.7.1' },
      text: `${at} ${'😀'.repeat(64 * 1024)}`,
    }))
    const { raw, text } = await report({ recipients })
    expect(text).toContain(`\n0 ${'😀'.repeat(999)}…\n`)
    expect(raw.length).toBeLessThan(150_000)
    const [first] = recipients
    expect(
      (await report({ recipients: [{ ...first!, text: 'x'.repeat(200_000) }] })).raw.length,
    ).toBeLessThan(4500)
  })

  it('keep their line ends, but lose control characters', async () => {
    const recipients = [{ address: 'bob\r\n\0@office.example', status: '5.7.1', text: 'a\rb\r\nc\0\x1b[2J' }]
    const { text, status } = await report({ recipients })
    expect(text).toContain('  bob@office.example\n\na\nb\nc[2J\n')
    expect(status).toContain('Final-Recipient: rfc822; bob@office.example\n')
  })

  it('are encoded in short ASCII lines', async () => {
    const long = 'ä long word '.repeat(3000)
    const { raw, original } = await report({
      raw: Buffer.from(`Subject: ${long}\r\n\r\n`),
      recipients: [{ address: 'bob@office.example', status: '5.7.1', text: long }],
    })
    expect(Math.max(...raw.split('\r\n').map(line => line.length))).toBeLessThan(998)
    expect(/^[\r\n\t -~]*$/.test(raw)).toBe(true)
    expect(original).toBe(`Subject: ${long}\n\n`)
  })
})
