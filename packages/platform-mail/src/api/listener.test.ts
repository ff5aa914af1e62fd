import { networkInterfaces } from 'node:os'
import { describe, expect, it } from '@jest/globals'
import { belowTrace, mailListener, opening } from '../testing/mail-listener.ts'
import { smtpDialogue, smtpReplies } from '../testing/smtp-dialogue.ts'

const bob = ['RCPT TO:<bob@office.example>', 'DATA', 'Subject: Hi', '', 'Hello', '.']

describe('RFC 5321: a mail', () => {
  it('is taken, and the reply to its end names its id', async () => {
    await using box = await mailListener()
    expect(await smtpReplies(box.url, ...opening, 'Subject: Hi', '', 'Hello', '.', 'QUIT')).toEqual([
      '250 box.example\nPIPELINING\n8BITMIME\nSMTPUTF8\nENHANCEDSTATUSCODES\nSIZE 1048576',
      '250 2.1.0 Sender accepted',
      '250 2.1.5 Recipient accepted',
      '354 End data with <CR><LF>.<CR><LF>',
      '250 2.0.0 Stored as mail-1',
      '221 2.0.0 Bye',
    ])
    const [mail] = box.mails
    expect(mail).toMatchObject({ from: 'ann@far.example', recipients: ['bob@office.example'] })
    expect(belowTrace(mail!.raw).toString()).toBe('Subject: Hi\r\n\r\nHello\r\n')
  })

  it('4.4: gets a trace line on top, which says from whom, by whom, how and when', async () => {
    await using box = await mailListener()
    await smtpReplies(box.url, ...opening, '.')
    expect(box.mails[0]!.raw.toString()).toMatch(
      /^Received: from client\.example \(\[127\.0\.0\.1\]\)\r\n\tby box\.example with ESMTP id mail-1;\r\n\tTue, 14 Nov 2023 22:13:20 \+0000\r\n$/,
    )
  })

  it('4.4: is said to come with SMTP after HELO, and with UTF8SMTP after SMTPUTF8 (RFC 6531)', async () => {
    await using box = await mailListener()
    await smtpReplies(box.url, 'HELO client', 'MAIL FROM:<>', ...bob)
    await smtpReplies(box.url, 'EHLO client', 'MAIL FROM:<> SMTPUTF8', ...bob)
    expect(box.mails.map(({ raw }) => / with (\S+) /.exec(String(raw))?.[1])).toEqual(['SMTP', 'UTF8SMTP'])
  })

  it('4.4: what a client calls itself cannot end the trace line, nor say anything in it', async () => {
    await using box = await mailListener()
    await smtpReplies(box.url, 'EHLO x;)(by=evil,<script>', 'MAIL FROM:<>', ...bob)
    expect(box.mails[0]!.raw.toString()).toMatch(/^Received: from x\?\?\?by\?evil\?\?script\? \(\[127/)
  })

  it('4.5.5: may come from the null sender', async () => {
    await using box = await mailListener()
    await smtpReplies(box.url, 'EHLO client', 'MAIL FROM:<>', ...bob)
    expect(box.mails[0]!.from).toBe('')
  })

  it('4.5.1: may go to Postmaster without a domain, and to the postmaster of a domain with other mailboxes', async () => {
    const mailboxes = new Map([['office.example', new Set(['ann'])]])
    await using box = await mailListener({ settings: { mailboxes } })
    const to = ['RCPT TO:<Postmaster>', 'RCPT TO:<POSTMASTER@office.example>']
    await smtpReplies(box.url, 'EHLO client', 'MAIL FROM:<>', ...to, ...bob.slice(1))
    expect(box.mails[0]!.recipients).toEqual(['Postmaster@office.example', 'POSTMASTER@office.example'])
  })

  it('has every recipient once, whatever the case of the domain, and with the case of the local part', async () => {
    await using box = await mailListener()
    const to = ['ann@Office.example', 'ann@office.EXAMPLE', 'Ann@office.example', 'ann@office.example']
    const replies = await smtpReplies(
      box.url,
      'EHLO client',
      'MAIL FROM:<>',
      ...to.map(address => `RCPT TO:<${address}>`),
      'DATA',
      '.',
    )
    expect(replies.filter(reply => reply === '250 2.1.5 Recipient accepted')).toHaveLength(4)
    expect(box.mails[0]!.recipients).toEqual(['ann@Office.example', 'Ann@office.example'])
  })

  it('RFC 6531: has addresses in any script after SMTPUTF8, as they were spelled', async () => {
    await using box = await mailListener()
    await smtpReplies(
      box.url,
      'EHLO client',
      'MAIL FROM:<dörte@bücher.example> SMTPUTF8 BODY=8BITMIME SIZE=100',
      'RCPT TO:<用户@office.example>',
      'RCPT TO:<"a b@c\\""@office.example>',
      'RCPT TO: <"<x>"@office.example> ',
      'DATA',
      '.',
    )
    expect(box.mails[0]).toMatchObject({
      from: 'dörte@bücher.example',
      recipients: ['用户@office.example', '"a b@c\\""@office.example', '"<x>"@office.example'],
    })
  })

  it('4.1.1.5: is forgotten after RSET and after another EHLO', async () => {
    await using box = await mailListener()
    const start = ['MAIL FROM:<a@far.example>', 'RCPT TO:<a@office.example>']
    const lines = ['EHLO client', ...start, 'RSET', ...start, 'EHLO client', 'DATA', 'MAIL FROM:<>', ...bob]
    expect(await smtpReplies(box.url, ...lines)).toContain('503 5.5.1 Send RCPT first')
    expect(box.mails).toMatchObject([{ from: '', recipients: ['bob@office.example'] }])
  })

  it('may follow another on the same connection, all of it said at once (RFC 2920)', async () => {
    await using box = await mailListener()
    const one = ['MAIL FROM:<>', ...bob]
    const replies = await smtpReplies(box.url, 'EHLO client', ...one, ...one, ...one)
    expect(replies.filter(reply => reply.startsWith('250 2.0.0'))).toEqual(
      [1, 2, 3].map(number => `250 2.0.0 Stored as mail-${number}`),
    )
  })
})

describe('start', () => {
  it('says what is wrong with the port', async () => {
    await using box = await mailListener()
    await expect(mailListener({ settings: { port: box.port } })).rejects.toThrow(
      `The mail listener cannot start: port ${box.port} of 127.0.0.1 is in use.`,
    )
  })

  const hasIPv6 = Object.values(networkInterfaces()).some(each =>
    each?.some(({ address }) => address === '::1'),
  )

  it(`listens on IPv6 too, and trusts this machine there (this machine ${hasIPv6 ? 'has it' : 'has not'})`, async () => {
    if (!hasIPv6) return
    await using box = await mailListener({ settings: { host: '::1', relay: 'keep' } })
    expect(box.url).toBe(`smtp://[::1]:${box.port}`)
    await smtpReplies(box.url, 'EHLO client', 'MAIL FROM:<>', 'RCPT TO:<eve@far.example>', 'DATA', '.')
    expect(String(box.mails[0]!.raw)).toContain('([IPv6:::1])')
  })

  it('greets at once, with its name', async () => {
    await using box = await mailListener()
    await using client = await smtpDialogue(box.url, false)
    expect(await client.next()).toEqual({ code: 220, text: 'box.example ESMTP' })
  })
})
