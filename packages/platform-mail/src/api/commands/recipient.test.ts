import { describe, expect, it } from '@jest/globals'
import { mailDomains, mailListener } from '../../testing/mail-listener.ts'
import { smtpReplies } from '../../testing/smtp-dialogue.ts'
import { readRecipient } from './recipient.ts'

const hello = 'EHLO client.example'
const mail = 'MAIL FROM:<ann@far.example>'

describe('the command RCPT', () => {
  it('refuses an address without a mailbox, and ignores letter case and quotes of the local part', async () => {
    const domains = mailDomains({ 'office.example': ['bob'] })
    await using setup = await mailListener({ settings: { domains, relay: 'keep' } })
    const to = ['bob@OFFICE.example', 'Bob@office.example', '"b\\ob"@office.example', 'eve@office.example']
    const replies = await smtpReplies(setup.url, hello, mail, ...to.map(address => `RCPT TO:<${address}>`))
    expect(replies.slice(-4)).toEqual([
      '250 2.1.5 Recipient accepted',
      '250 2.1.5 Recipient accepted',
      '250 2.1.5 Recipient accepted',
      '550 5.1.1 No such mailbox',
    ])
  })

  it('refuses other domains for clients that are not trusted', async () => {
    const line = Buffer.from('RCPT TO:<eve@far.example>')
    const untrusted = { trusted: false, utf8: false }
    for (const relay of ['keep', undefined] as const)
      expect(readRecipient(line, untrusted, { domains: new Map(), relay })).toEqual({
        code: 550,
        text: '5.7.1 Relaying denied',
      })
  })
})

it.each([
  ['as configured', 'bücher.example'],
  ['with a combining character', 'bu\u0308cher.example'],
  ['with an ideographic full stop', 'Bücher。example'],
  ['in ASCII with a final dot', 'xn--bcher-kva.example.'],
  ['with a final dot', 'bücher.example.'],
])('the command RCPT recognizes a domain that is written %s', async (_case, domain) => {
  const domains = mailDomains({ 'bücher.example': ['dörte'], 'xn--bcher-kva.example': ['dörte'] })
  await using setup = await mailListener({ settings: { domains, trusted: [] } })
  const opening = ['EHLO client', 'MAIL FROM:<> SMTPUTF8']
  const replies = await smtpReplies(setup.url, ...opening, `RCPT TO:<do\u0308rte@${domain}>`)
  expect(replies.at(-1)).toBe('250 2.1.5 Recipient accepted')
})

it.each([
  '.eve@far.example',
  'eve.@far.example',
  'e..ve@far.example',
  'eve@.far.example',
  'eve@far..example',
])(
  'the address %s is refused as a recipient and as a sender, because its dots are misplaced (RFC 5321, 4.1.2)',
  async address => {
    await using setup = await mailListener({ settings: { relay: 'keep' } })
    const lines = [
      `MAIL FROM:<${address}>`,
      'MAIL FROM:<>',
      `RCPT TO:<${address}>`,
      'RCPT TO:<"e..ve."@far.example>',
    ]
    expect((await smtpReplies(setup.url, hello, ...lines)).slice(1)).toEqual([
      '501 5.1.7 Invalid address: misplaced dot',
      '250 2.1.0 Sender accepted',
      '501 5.1.3 Invalid address: misplaced dot',
      '250 2.1.5 Recipient accepted',
    ])
  },
)

it.each(['eve@[192.0.2.1]', 'eve@[IPv6:2001:db8::1]', 'eve@[ipv6:::1]'])(
  'the command RCPT accepts the address literal in %s',
  address => {
    const trusted = { trusted: true, utf8: false }
    const settings = { domains: new Map(), relay: 'keep' } as const
    expect(readRecipient(Buffer.from(`RCPT TO:<${address}>`), trusted, settings)).toBe(address)
  },
)

it('a source route of the sender or of a recipient is accepted and ignored (RFC 5321, 4.1.2)', async () => {
  const domains = mailDomains({ 'office.example': ['bob'] })
  await using setup = await mailListener({ settings: { domains, trusted: [] } })
  const sender = 'MAIL FROM:<@hop.example,@next.example:ann@far.example>'
  const to = ['@hop.example:bob@office.example', '@office.example:bob@far.example', '@:bob@office.example']
  const lines = [hello, sender, ...to.map(path => `RCPT TO:<${path}>`), 'DATA', 'Subject: Hi', '', '.']
  expect((await smtpReplies(setup.url, ...lines)).slice(1)).toEqual([
    '250 2.1.0 Sender accepted',
    '250 2.1.5 Recipient accepted',
    '550 5.7.1 Relaying denied',
    '501 5.1.3 Invalid address',
    '354 End data with <CR><LF>.<CR><LF>',
    '250 2.0.0 Stored as mail-1',
  ])
  expect(setup.mails).toMatchObject([{ from: 'ann@far.example', recipients: ['bob@office.example'] }])
})
