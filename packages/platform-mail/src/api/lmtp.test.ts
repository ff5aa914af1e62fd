import { describe, expect, it } from '@jest/globals'
import { type MailListenerOptions, mailListener } from '../testing/mail-listener.ts'
import { smtpDialogue, smtpReplies } from '../testing/smtp-dialogue.ts'
import type { DecideBefore, RecipientDecision } from './decision.ts'

const bob = 'bob@office.example'

/** Decides by the local part of each recipient. */
const decide: DecideBefore = async ({ recipients }) => ({
  recipients: recipients.map((address): RecipientDecision => {
    const base = {
      kind: 'decided',
      why: '',
      failed: false,
      name: { key: '', content: '' },
      storedAs: undefined,
    } as const
    if (address.startsWith('no')) return { address, ...base, action: { type: 'BOUNCE' } }
    if (address.startsWith('later')) return { address, kind: 'later', why: '' }
    return { address, ...base, action: { type: 'DEFAULT' } }
  }),
  added: [],
})

const lmtpListener = (options: MailListenerOptions = {}) =>
  mailListener({ ...options, role: { protocol: 'lmtp', decide } })

describe('LMTP (RFC 2033)', () => {
  it('greets with LHLO, and refuses EHLO and HELO', async () => {
    await using setup = await lmtpListener()
    expect(setup.url).toMatch(/^lmtp:\/\//)
    await using client = await smtpDialogue(setup.url, false)
    expect((await client.next())!.text).toBe('box.example LMTP')
    for (const line of ['EHLO x', 'HELO x'])
      expect(await client.say(line)).toBe('500 5.5.2 Command not recognized')
    expect(await client.say('MAIL FROM:<>')).toBe('503 5.5.1 Send LHLO first')
    expect((await client.say('LHLO x'))!.split('\n')).toEqual([
      '250 box.example',
      'PIPELINING',
      '8BITMIME',
      'SMTPUTF8',
      'ENHANCEDSTATUSCODES',
      expect.stringMatching(/^AUTH /),
      'SIZE 1048576',
      'XCLIENT NAME ADDR PORT PROTO HELO LOGIN',
      'XFORWARD NAME ADDR PORT PROTO HELO SOURCE',
    ])
  })

  it('refuses LHLO on an SMTP listener', async () => {
    await using setup = await mailListener()
    expect(await smtpReplies(setup.url, 'LHLO x')).toEqual(['500 5.5.2 Command not recognized'])
  })

  it('replies once for each accepted RCPT, in their order, and stores the mail for those that get 250', async () => {
    await using setup = await lmtpListener({ settings: { maxSize: 1000 } })
    const to = [
      'no@office.example',
      bob,
      'later@office.example',
      'x@else.example',
      'bob@OFFICE.example',
      'carol@office.example',
      bob,
    ]
    const replies = await smtpReplies(
      setup.url,
      ...['LHLO x', 'MAIL FROM:<>', ...to.map(address => `RCPT TO:<${address}>`), 'DATA'],
      ...['Subject: Hi', '', 'Hi', '.', 'NOOP'],
    )
    expect(replies.slice(2, 9).map(reply => reply.slice(0, 3))).toEqual([
      '250',
      '250',
      '250',
      '550',
      '250',
      '250',
      '250',
    ])
    const stored = '250 2.0.0 Stored as mail-1'
    expect(replies.slice(10)).toEqual([
      '550 5.7.1 The mail was refused',
      stored,
      '451 4.3.0 The mail cannot be checked now, try again later',
      ...[stored, stored, stored],
      '250 2.0.0 OK',
    ])
    expect(setup.decided[0]!.recipients.map(({ address }) => address)).toEqual([bob, 'carol@office.example'])
    expect(String(setup.mails[0]!.raw)).toMatch(/ with LMTP id mail-1;\r\n[^\r]*\r\nSubject: Hi\r\n/)
  })

  it.each([
    ['is too large', { settings: { maxSize: 10 } }, '552 5.3.4 Mail too large: at most 10 bytes'],
    [
      'cannot be stored',
      {
        accept: async () => {
          throw Object.assign(new Error('full'), { code: 'ENOSPC' })
        },
      },
      '452 4.3.1 No space for the mail, try again later',
    ],
  ])('replies for each recipient to a mail that %s', async (_, options, reply) => {
    await using setup = await lmtpListener({ settings: { maxSize: 1000 }, ...options })
    const to = [bob, 'carol@office.example'].map(address => `RCPT TO:<${address}>`)
    const replies = await smtpReplies(
      setup.url,
      ...['LHLO x', 'MAIL FROM:<>', ...to, 'DATA', 'Subject: Hello', '', '.', 'QUIT'],
    )
    expect(replies.slice(5)).toEqual([reply, reply, '221 2.0.0 Bye'])
  })

  it('refuses DATA without an accepted recipient', async () => {
    await using setup = await lmtpListener()
    const lines = ['LHLO x', 'MAIL FROM:<>', 'RCPT TO:<eve@else.example>', 'DATA']
    expect((await smtpReplies(setup.url, ...lines)).at(-1)).toBe('503 5.5.1 Send RCPT first')
  })

  it('does not change a mail as if its client submitted it', async () => {
    await using setup = await lmtpListener({ settings: { maxSize: 1000 } })
    const text = 'Subject: Hi\r\nBcc: eve@else.example\r\n\r\nHi\r\n'
    await smtpReplies(setup.url, 'LHLO x', 'MAIL FROM:<>', `RCPT TO:<${bob}>`, 'DATA', `${text}.`)
    expect(String(setup.mails[0]!.raw)).toMatch(
      /;\r\n[^\r]*\r\nSubject: Hi\r\nBcc: eve@else\.example\r\n\r\nHi\r\n$/,
    )
  })
})
