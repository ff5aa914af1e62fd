import { networkInterfaces } from 'node:os'
import { describe, expect, it } from '@jest/globals'
import { belowTrace, mailDomains, mailListener, opening } from '../testing/mail-listener.ts'
import { smtpDialogue, smtpReplies } from '../testing/smtp-dialogue.ts'

const bob = ['RCPT TO:<bob@office.example>', 'DATA', 'Subject: Hi', '', 'Hello', '.']

describe('a mail over SMTP', () => {
  it('is accepted, and the reply contains its id', async () => {
    await using setup = await mailListener()
    expect(await smtpReplies(setup.url, ...opening, 'Subject: Hi', '', 'Hello', '.', 'QUIT')).toEqual([
      '250 box.example\nPIPELINING\n8BITMIME\nSMTPUTF8\nENHANCEDSTATUSCODES\nAUTH PLAIN LOGIN\nSIZE 1048576\nXCLIENT NAME ADDR PORT PROTO HELO LOGIN\nXFORWARD NAME ADDR PORT PROTO HELO SOURCE',
      '250 2.1.0 Sender accepted',
      '250 2.1.5 Recipient accepted',
      '354 End data with <CR><LF>.<CR><LF>',
      '250 2.0.0 Stored as mail-1',
      '221 2.0.0 Bye',
    ])
    const [mail] = setup.mails
    expect(mail).toMatchObject({ from: 'ann@far.example', recipients: ['bob@office.example'] })
    expect(belowTrace(mail!.raw).toString()).toBe('Subject: Hi\r\n\r\nHello\r\n')
  })

  it('gets a trace line with the client, the server, the protocol and the time (RFC 5321, 4.4)', async () => {
    await using setup = await mailListener({ settings: { trusted: [] } })
    await smtpReplies(setup.url, ...opening, '.')
    expect(setup.mails[0]!.raw.toString()).toMatch(
      /^Received: from client\.example \(\[127\.0\.0\.1\]\)\r\n\tby box\.example with ESMTP id mail-1;\r\n\tTue, 14 Nov 2023 22:13:20 \+0000\r\n$/,
    )
  })

  it('gets a trace line that says SMTP after HELO, and UTF8SMTP with SMTPUTF8 (RFC 6531)', async () => {
    await using setup = await mailListener()
    await smtpReplies(setup.url, 'HELO client', 'MAIL FROM:<>', ...bob)
    await smtpReplies(setup.url, 'EHLO client', 'MAIL FROM:<> SMTPUTF8', ...bob)
    expect(setup.mails.map(({ raw }) => / with (\S+) /.exec(String(raw))?.[1])).toEqual(['SMTP', 'UTF8SMTP'])
  })

  it('gets a trace line that a hostile client name cannot break', async () => {
    await using setup = await mailListener()
    await smtpReplies(setup.url, 'EHLO x;)(by=evil,<script>', 'MAIL FROM:<>', ...bob)
    expect(setup.mails[0]!.raw.toString()).toMatch(/^Received: from x\?\?\?by\?evil\?\?script\? \(\[127/)
  })

  it('may have the null sender (RFC 5321, 4.5.5)', async () => {
    await using setup = await mailListener()
    await smtpReplies(setup.url, 'EHLO client', 'MAIL FROM:<>', ...bob)
    expect(setup.mails[0]!.from).toBe('')
  })

  it.each([
    [
      'Subject: Hi',
      ['Date: Tue, 14 Nov 2023 22:13:20 +0000', 'Message-ID: <mail-1@box.example>', 'Subject: Hi'],
    ],
    ['date : Mon', ['Message-ID: <mail-1@box.example>', 'date : Mon']],
    ['MESSAGE-ID: <a@b>', ['Date: Tue, 14 Nov 2023 22:13:20 +0000', 'MESSAGE-ID: <a@b>']],
    [
      'Only text',
      ['Date: Tue, 14 Nov 2023 22:13:20 +0000', 'Message-ID: <mail-1@box.example>', '', 'Only text'],
    ],
  ])(
    'gets Date and Message-ID from this server if a trusted client leaves them out: %s',
    async (line, expected) => {
      for (const trusted of [['127.0.0.1'], []]) {
        await using setup = await mailListener({ settings: { trusted } })
        await smtpReplies(
          setup.url,
          'EHLO client',
          'MAIL FROM:<>',
          'RCPT TO:<bob@office.example>',
          'DATA',
          line,
          '.',
        )
        const lines = String(setup.mails[0]!.raw).split('\r\n').slice(3, -1)
        const own = line === 'Only text' ? ['', line] : [line]
        expect(lines).toEqual(trusted.length > 0 ? expected : own)
      }
    },
  )

  it('may go to Postmaster, with or without a domain (RFC 5321, 4.5.1)', async () => {
    const domains = mailDomains({ 'office.example': ['ann'] })
    await using setup = await mailListener({ settings: { domains } })
    const to = ['RCPT TO:<Postmaster>', 'RCPT TO:<POSTMASTER@office.example>']
    await smtpReplies(setup.url, 'EHLO client', 'MAIL FROM:<>', ...to, ...bob.slice(1))
    expect(setup.mails[0]!.recipients).toEqual(['Postmaster@office.example', 'POSTMASTER@office.example'])
  })

  it('lists each recipient once, ignoring letter case in domains but not in local parts', async () => {
    await using setup = await mailListener()
    const to = ['ann@Office.example', 'ann@office.EXAMPLE', 'Ann@office.example', 'ann@office.example']
    const replies = await smtpReplies(
      setup.url,
      'EHLO client',
      'MAIL FROM:<>',
      ...to.map(address => `RCPT TO:<${address}>`),
      'DATA',
      '.',
    )
    expect(replies.filter(reply => reply === '250 2.1.5 Recipient accepted')).toHaveLength(4)
    expect(setup.mails[0]!.recipients).toEqual(['ann@Office.example', 'Ann@office.example'])
  })

  it('may have addresses in any script with SMTPUTF8 (RFC 6531)', async () => {
    await using setup = await mailListener()
    await smtpReplies(
      setup.url,
      'EHLO client',
      'MAIL FROM:<dörte@bücher.example> SMTPUTF8 BODY=8BITMIME SIZE=100',
      'RCPT TO:<用户@office.example>',
      'RCPT TO:<"a b@c\\""@office.example>',
      'RCPT TO: <"<x>"@office.example> ',
      'DATA',
      '.',
    )
    expect(setup.mails[0]).toMatchObject({
      from: 'dörte@bücher.example',
      recipients: ['用户@office.example', '"a b@c\\""@office.example', '"<x>"@office.example'],
    })
  })

  it('is discarded by RSET and by another EHLO (RFC 5321, 4.1.1.5)', async () => {
    await using setup = await mailListener()
    const start = ['MAIL FROM:<a@far.example>', 'RCPT TO:<a@office.example>']
    const lines = ['EHLO client', ...start, 'RSET', ...start, 'EHLO client', 'DATA', 'MAIL FROM:<>', ...bob]
    expect(await smtpReplies(setup.url, ...lines)).toContain('503 5.5.1 Send RCPT first')
    expect(setup.mails).toMatchObject([{ from: '', recipients: ['bob@office.example'] }])
  })

  it('may follow another mail on the same connection, with all commands in one packet (RFC 2920)', async () => {
    await using setup = await mailListener()
    const one = ['MAIL FROM:<>', ...bob]
    const replies = await smtpReplies(setup.url, 'EHLO client', ...one, ...one, ...one)
    expect(replies.filter(reply => reply.startsWith('250 2.0.0'))).toEqual(
      [1, 2, 3].map(number => `250 2.0.0 Stored as mail-${number}`),
    )
  })
})

describe('the mail listener', () => {
  it('explains why it cannot use a port', async () => {
    await using setup = await mailListener()
    await expect(mailListener({ settings: { port: setup.port } })).rejects.toThrow(
      `The mail listener cannot start: port ${setup.port} of 127.0.0.1 is in use`,
    )
  })

  const hasIPv6 = Object.values(networkInterfaces()).some(each =>
    each?.some(({ address }) => address === '::1'),
  )

  const withIPv6 = hasIPv6 ? it : it.skip
  withIPv6(
    `trusts clients on the IPv6 loopback address${hasIPv6 ? '' : ' (skipped: needs IPv6)'}`,
    async () => {
      await using setup = await mailListener({ settings: { host: '::1', relay: 'keep' } })
      expect(setup.url).toBe(`smtp://[::1]:${setup.port}`)
      await smtpReplies(setup.url, 'EHLO client', 'MAIL FROM:<>', 'RCPT TO:<eve@far.example>', 'DATA', '.')
      expect(String(setup.mails[0]!.raw)).toContain('([IPv6:::1])')
    },
  )

  it.each(['PROXY TCP4 203.0.113.9 127.0.0.1 4711 25', 'XCLIENT ADDR=203.0.113.9'])(
    'trusted outsiders behind a proxy that said "%s"',
    async line => {
      await using setup = await mailListener({ settings: { relay: 'keep' } })
      const replies = await smtpReplies(
        setup.url,
        ...[line, 'EHLO client', 'MAIL FROM:<>', 'RCPT TO:<eve@far.example>', ...bob],
      )
      expect(replies.slice(-4)).toEqual([
        expect.stringMatching(/^550 5\.7\.1 Relaying denied/),
        expect.stringMatching(/^250 /),
        expect.stringMatching(/^354 /),
        expect.stringMatching(/^250 /),
      ])
    },
  )

  it('greets clients immediately with its name', async () => {
    await using setup = await mailListener()
    await using client = await smtpDialogue(setup.url, false)
    expect(await client.next()).toEqual({ code: 220, text: 'box.example ESMTP' })
  })
})
