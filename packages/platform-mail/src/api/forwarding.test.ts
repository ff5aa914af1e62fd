import { describe, expect, it } from '@jest/globals'
import { type MailListenerOptions, mailListener } from '../testing/mail-listener.ts'
import { smtpDialogue, smtpReplies } from '../testing/smtp-dialogue.ts'

const hello = 'EHLO proxy.example'
const mail = ['MAIL FROM:<>', 'RCPT TO:<bob@office.example>', 'DATA', 'Subject: Hi', '', '.'] as const
const greeting = '220 box.example ESMTP'

const listener = (options: MailListenerOptions = {}) =>
  mailListener({ ...options, settings: { relay: 'keep', trusted: ['127.0.0.1'], ...options.settings } })

/** Sends lines from a client that is not trusted. Returns the reply to each line before the first DATA. */
async function fromStranger(url: string, ...lines: readonly string[]) {
  await using client = await smtpDialogue(url, true, '127.0.0.2')
  const replies: string[] = []
  for (const line of lines) replies.push((await client.say(line))!)
  return replies
}

describe('the client in the facts of a mail', () => {
  it('is the client of the connection, with its name in EHLO', async () => {
    await using setup = await listener()
    await smtpReplies(setup.url, hello, ...mail)
    expect(setup.mails[0]!.facts).toEqual({ client: { address: '127.0.0.1', helo: 'proxy.example' } })
  })
})

describe('XFORWARD', () => {
  it('says who the client of the next mail is, and changes nothing else', async () => {
    await using setup = await listener()
    const replies = await smtpReplies(
      setup.url,
      ...[
        hello,
        'XFORWARD NAME=mx.far.example ADDR=192.0.2.9 PORT=4711',
        'XFORWARD HELO=a+2Bb SOURCE=REMOTE',
      ],
      ...['MAIL FROM:<>', 'RCPT TO:<eve@else.example>', ...mail.slice(1), ...mail],
    )
    expect(replies.slice(1, 5)).toEqual([
      ...['250 2.0.0 OK', '250 2.0.0 OK', '250 2.1.0 Sender accepted', '250 2.1.5 Recipient accepted'],
    ])
    expect(setup.mails.map(({ facts }) => facts)).toEqual([
      { client: { name: 'mx.far.example', address: '192.0.2.9', helo: 'a+b' } },
      { client: { address: '127.0.0.1', helo: 'proxy.example' } },
    ])
    expect(String(setup.mails[0]!.raw)).toContain('from proxy.example ([127.0.0.1])')
  })

  it('is for one mail, which RSET ends', async () => {
    await using setup = await listener()
    await smtpReplies(setup.url, hello, 'XFORWARD ADDR=192.0.2.9', 'RSET', ...mail)
    expect(setup.mails[0]!.facts!.client).toMatchObject({ address: '127.0.0.1' })
  })

  it('can say that nothing is known', async () => {
    await using setup = await listener()
    const nothing = 'XFORWARD NAME=[TEMPUNAVAIL] ADDR=[UNAVAILABLE] HELO=[unavailable] PROTO=ESMTP'
    await smtpReplies(setup.url, hello, nothing, ...mail)
    expect(setup.mails[0]!.facts).toEqual({})
  })
})

describe('XCLIENT', () => {
  it('makes the session one of another client, which greets again and has only its own rights', async () => {
    await using setup = await listener()
    const replies = await smtpReplies(
      setup.url,
      ...[hello, 'XCLIENT NAME=mx.far.example ADDR=IPV6:2001:db8::9 LOGIN=ann HELO=far'],
      ...['MAIL FROM:<>', hello, 'XCLIENT ADDR=127.0.0.1', 'XFORWARD ADDR=127.0.0.1'],
      ...['MAIL FROM:<>', 'RCPT TO:<eve@else.example>', ...mail.slice(1)],
    )
    expect(replies.slice(1, 3)).toEqual([greeting, '503 5.5.1 Send EHLO first'])
    expect(replies[3]).not.toMatch(/XCLIENT|XFORWARD/)
    expect(replies.slice(4, 8)).toEqual([
      '550 5.7.0 XCLIENT is for trusted clients only',
      '550 5.7.0 XFORWARD is for trusted clients only',
      '250 2.1.0 Sender accepted',
      expect.stringMatching(/^550 5\.7\.1 Relaying denied/),
    ])
    expect(setup.mails[0]!.facts).toEqual({
      client: { name: 'mx.far.example', address: '2001:db8::9', helo: 'far', user: 'ann' },
    })
    expect(String(setup.mails[0]!.raw)).toContain('([IPv6:2001:db8::9])')
  })

  it('leaves the trust in a client whose address it does not change', async () => {
    await using setup = await listener()
    const replies = await smtpReplies(
      setup.url,
      ...[hello, 'XCLIENT LOGIN=ann', hello, 'MAIL FROM:<>', 'RCPT TO:<eve@else.example>'],
    )
    expect(replies.at(-1)).toBe('250 2.1.5 Recipient accepted')
  })

  it('takes away the trust when the address is unknown', async () => {
    await using setup = await listener()
    const replies = await smtpReplies(
      setup.url,
      ...[hello, 'XCLIENT ADDR=[UNAVAILABLE]', hello, 'MAIL FROM:<>', 'RCPT TO:<eve@else.example>'],
    )
    expect(replies.at(-1)).toMatch(/^550 5\.7\.1/)
  })

  it('applies the limits of the other address: connections, and unknown recipients', async () => {
    await using setup = await listener({
      settings: { maxConnectionsPerAddress: 1, maxRefusedRecipients: 1 },
    })
    await using other = await smtpDialogue(setup.url, true, '127.0.0.2')
    const [, refused] = await smtpReplies(setup.url, hello, 'XCLIENT ADDR=127.0.0.2')
    expect(refused).toBe('421 4.7.0 Too many connections from your address, try again later')
    await other.say(hello)
    await other.say('MAIL FROM:<>')
    for (let count = 0; count < 2; count++) await other.say('RCPT TO:<eve@else.example>')
    await other.finish()
    const replies = await smtpReplies(setup.url, hello, 'XCLIENT ADDR=127.0.0.2')
    expect(replies.at(-1)).toBe('421 4.7.0 Too many unknown recipients, try again later')
  })
})

describe.each(['XCLIENT', 'XFORWARD'])('%s', command => {
  it.each([
    ['', `501 5.5.4 Syntax: ${command} attribute=value`],
    ['ADDR', `501 5.5.4 Unknown attribute of ${command}`],
    ['COLOUR=red', `501 5.5.4 Unknown attribute of ${command}`],
    ['__PROTO__=x', `501 5.5.4 Unknown attribute of ${command}`],
    ['ADDR=', `501 5.5.4 Unknown attribute of ${command}`],
    ['ADDR=mx.far.example', '501 5.5.4 Malformed value of ADDR'],
    ['ADDR=192.0.2.256', '501 5.5.4 Malformed value of ADDR'],
    ['NAME=a+20b', '501 5.5.4 Malformed value of NAME'],
    ['HELO=a+0D+0Ab', '501 5.5.4 Malformed value of HELO'],
    ['HELO=a+XYb', '501 5.5.4 Malformed value of HELO'],
    ['HELO=+FF', '501 5.5.4 Malformed value of HELO'],
    [`HELO=${'x'.repeat(256)}`, '501 5.5.4 Malformed value of HELO'],
    ['PORT=port', '501 5.5.4 Malformed value of PORT'],
    ['PROTO=HTTP', '501 5.5.4 Malformed value of PROTO'],
  ])('with "%s" is malformed, and changes nothing', async (attributes, expected) => {
    await using setup = await listener()
    const text = `${command} ADDR=192.0.2.9 ${attributes}`
    const line = attributes === '' ? command : text
    const replies = await smtpReplies(setup.url, hello, line, ...mail)
    expect(replies[1]).toBe(expected)
    expect(setup.mails[0]!.facts!.client).toMatchObject({ address: '127.0.0.1' })
  })

  it('is refused in the middle of a mail', async () => {
    await using setup = await listener()
    const replies = await smtpReplies(setup.url, hello, 'MAIL FROM:<>', `${command} ADDR=192.0.2.9`)
    expect(replies.at(-1)).toBe('503 5.5.1 A mail has begun')
  })

  it('is neither announced to nor accepted from a client that is not trusted, and changes nothing', async () => {
    await using setup = await listener()
    const [ehlo, refused, ...rest] = await fromStranger(
      setup.url,
      ...[hello, `${command} ADDR=127.0.0.1`, 'MAIL FROM:<>', 'RCPT TO:<eve@else.example>'],
    )
    expect(ehlo).not.toContain(command)
    expect(refused).toBe(`550 5.7.0 ${command} is for trusted clients only`)
    expect(rest).toEqual(['250 2.1.0 Sender accepted', expect.stringMatching(/^550 5\.7\.1/)])
  })

  it('is refused after PROXY, whose client may be anyone', async () => {
    await using setup = await listener()
    const replies = await smtpReplies(
      setup.url,
      'PROXY TCP4 1.2.3.4 5.6.7.8 1 2',
      `${command} ADDR=192.0.2.9`,
    )
    expect(replies.at(-1)).toBe(`550 5.7.0 ${command} is for trusted clients only`)
  })
})
