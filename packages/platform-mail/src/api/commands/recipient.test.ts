import { describe, expect, it } from '@jest/globals'
import { mailListener } from '../../testing/mail-listener.ts'
import { smtpReplies } from '../../testing/smtp-dialogue.ts'
import { readRecipient } from './recipient.ts'

const hello = 'EHLO client.example'
const mail = 'MAIL FROM:<ann@far.example>'

describe('the command RCPT', () => {
  it('refuses an address without a mailbox, and ignores letter case and quotes of the local part', async () => {
    const mailboxes = new Map([['office.example', new Set(['bob'])]])
    await using setup = await mailListener({ settings: { mailboxes, relay: 'keep' } })
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
      expect(readRecipient(line, untrusted, { mailboxes: new Map(), relay })).toEqual({
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
  const mailboxes = new Map([
    ['bücher.example', new Set(['dörte'])],
    ['xn--bcher-kva.example', new Set(['dörte'])],
  ])
  await using setup = await mailListener({ settings: { mailboxes, trusted: [] } })
  const opening = ['EHLO client', 'MAIL FROM:<> SMTPUTF8']
  const replies = await smtpReplies(setup.url, ...opening, `RCPT TO:<do\u0308rte@${domain}>`)
  expect(replies.at(-1)).toBe('250 2.1.5 Recipient accepted')
})

it.each(['eve@[192.0.2.1]', 'eve@[IPv6:2001:db8::1]', 'eve@[ipv6:::1]'])(
  'the command RCPT accepts the address literal in %s',
  address => {
    const trusted = { trusted: true, utf8: false }
    const settings = { mailboxes: new Map(), relay: 'keep' } as const
    expect(readRecipient(Buffer.from(`RCPT TO:<${address}>`), trusted, settings)).toBe(address)
  },
)
