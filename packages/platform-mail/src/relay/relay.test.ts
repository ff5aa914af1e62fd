import { describe, expect, it } from '@jest/globals'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import type { SMTPServerOptions } from 'smtp-server'
import {
  answersOf,
  no,
  oddServer,
  otherServer,
  scriptedServer,
  sendTo,
  someMail,
} from '../testing/other-server.ts'

describe('the result for each recipient', () => {
  it('depends on the reply to that recipient, which can be 250, 5xx or 4xx within one transaction', async () => {
    await using office = await otherServer()
    const to = ['eve@far.example', 'nobody@far.example', 'wait@far.example', 'kim@far.example']
    expect(await answersOf(office.relay, to)).toEqual([
      `eve@far.example relayed: the relay 127.0.0.1:${office.port} has it`,
      'nobody@far.example refused: 550 5.1.1 No such user',
      'wait@far.example later: 451 4.2.0 Greylisted',
      `kim@far.example relayed: the relay 127.0.0.1:${office.port} has it`,
    ])
    expect(office.taken).toHaveLength(1)
    expect(office.taken[0]!.session.rcptTo.map(({ address }) => address)).toEqual([
      'eve@far.example',
      'kim@far.example',
    ])
    expect(office.taken[0]!.data).toEqual(someMail.raw)
  })

  it('is temporary after 552 to RCPT, which means too many recipients (RFC 5321, 4.5.3.1.10)', async () => {
    let count = 0
    const onRcptTo: SMTPServerOptions['onRcptTo'] = (_address, _session, done) =>
      done(++count > 1 ? no(552, 'Too many recipients') : null)
    await using office = await otherServer({ onRcptTo })
    const answers = await sendTo(office.relay, someMail, ['eve@far.example', 'kim@far.example'])
    expect(answers.map(({ result }) => result)).toEqual(['relayed', 'later'])
  })

  it('is temporary for a mail that cannot be signed, which the relay does not get', async () => {
    await using office = await otherServer()
    const sign = () => Promise.reject(new Error('the mail cannot be signed with the key of far.example'))
    const results = await office.relay.send({ ...someMail, raw: async () => someMail.raw, sign }, [
      'eve@far.example',
    ])
    expect(results).toEqual([
      {
        recipient: 'eve@far.example',
        result: 'later',
        why: expect.stringContaining('cannot be signed with the key of far.example'),
      },
    ])
    expect(office.taken).toEqual([])
  })

  it('is known even when all recipients are refused', async () => {
    await using office = await otherServer()
    expect(await answersOf(office.relay, ['nobody@far.example', 'wait@far.example'])).toEqual([
      'nobody@far.example refused: 550 5.1.1 No such user',
      'wait@far.example later: 451 4.2.0 Greylisted',
    ])
    expect(office.taken).toEqual([])
  })

  it.each([
    [
      'a permanent refusal of the sender',
      { onMailFrom: (_a, _s, done) => done(no(550, '5.7.1 Not you')) },
      'refused: 550 5.7.1 Not you',
    ],
    [
      'a temporary refusal of the sender',
      { onMailFrom: (_a, _s, done) => done(no(451, '4.7.1 Not now')) },
      'later: 451 4.7.1 Not now',
    ],
    ['a demand for authentication', { authOptional: false }, 'later: 530 Error: authentication Required'],
  ] satisfies [string, SMTPServerOptions, string][])('reflects %s', async (_what, options, expected) => {
    await using office = await otherServer(options)
    const to = ['eve@far.example', 'nobody@far.example']
    const [eve] = await answersOf(office.relay, to)
    expect(eve).toBe(`eve@far.example ${expected}`)
  })

  it.each([
    [554, '5.6.0 Spam', 'refused'],
    [451, '4.3.0 Disk', 'later'],
    [552, '5.3.4 Too big', 'refused'],
  ])(
    'is the reply to RCPT for refused recipients, even if the reply to the data is %i',
    async (code, text, result) => {
      await using office = await otherServer({
        onData(stream, _session, done) {
          stream.resume()
          stream.on('end', () => done(no(code, text)))
        },
      })
      expect(
        await answersOf(office.relay, ['eve@far.example', 'nobody@far.example', 'wait@far.example']),
      ).toEqual([
        `eve@far.example ${result}: ${code} ${text}`,
        'nobody@far.example refused: 550 5.1.1 No such user',
        'wait@far.example later: 451 4.2.0 Greylisted',
      ])
    },
  )

  it('is a permanent failure for a mail above the size limit that the relay announces', async () => {
    await using office = await otherServer({ size: 1000 })
    const raw = Buffer.alloc(1001, 'x\r\n')
    expect(await answersOf(office.relay, ['eve@far.example'], { ...someMail, raw })).toEqual([
      'eve@far.example refused: 552 5.3.4 The mail is larger than the relay accepts',
    ])
  })

  it('contains a multiline reply as a single line', async () => {
    await using odd = await oddServer(socket => {
      socket.write('220 x ESMTP\r\n')
      socket.on('data', data => {
        const command = String(data)
        if (command.startsWith('EHLO')) socket.write('250 x\r\n')
        else if (command.startsWith('MAIL'))
          socket.write('550-5.7.1 One\r\n550-5.7.1 \x1b[31mtwo\r\n550 5.7.1 three\r\n')
        else socket.end('221 Bye\r\n')
      })
    })
    expect(await answersOf(odd.relay, ['eve@far.example'])).toEqual([
      'eve@far.example refused: 550 5.7.1 One [31mtwo three',
    ])
  })
})

describe('the relay gets', () => {
  it('delivery reports with the null sender', async () => {
    await using office = await otherServer()
    await sendTo(office.relay, { ...someMail, from: '' }, ['eve@far.example'])
    expect(office.taken[0]!.session.mailFrom).toMatchObject({ address: '' })
  })

  it('SMTPUTF8 and 8BITMIME only when the mail needs them', async () => {
    await using office = await otherServer()
    await sendTo(office.relay, someMail, ['eve@far.example'])
    await sendTo(office.relay, { ...someMail, raw: Buffer.from('Subject: ä\r\n\r\n') }, [
      'dörte@bücher.example',
      '"a b"@far.example',
    ])
    expect(office.taken.map(({ session }) => [session.smtpUtf8, session.bodyType])).toEqual([
      [false, '7bit'],
      [true, '8bitmime'],
    ])
  })

  const eightBit = { ...someMail, raw: Buffer.from('Subject: Hi\r\n\r\nGrüße\r\n') }
  const utf8Header = { ...someMail, raw: Buffer.from('Subject: Grüße\r\n\r\nHi\r\n') }

  it.each([
    ['SMTPUTF8 if the client used it', true, true],
    ['8BITMIME alone if the client did not use SMTPUTF8', false, false],
  ])('a mail with non-ASCII headers with %s', async (_what, utf8, smtpUtf8) => {
    await using office = await otherServer()
    await sendTo(office.relay, { ...utf8Header, utf8 }, ['eve@far.example'])
    expect(office.taken[0]!.session).toMatchObject({ smtpUtf8, bodyType: '8bitmime' })
    expect(office.taken[0]!.data).toEqual(utf8Header.raw)
  })

  it.each([
    ['8BITMIME only', { hideSMTPUTF8: true }],
    ['no extension', { hideSMTPUTF8: true, hide8BITMIME: true }],
  ])('a mail with non-ASCII headers unchanged if it offers %s, as Postfix does', async (_what, options) => {
    await using office = await otherServer(options)
    const raws = ['Subject: Fr\xf6sche\r\n\r\nx\r\n', 'X-Mailer: Bl\xfcte\r\n\r\nx\r\n']
    for (const raw of raws)
      expect(
        await sendTo(office.relay, { ...someMail, raw: Buffer.from(raw, 'latin1') }, ['eve@far.example']),
      ).toMatchObject([{ result: 'relayed' }])
    expect(office.taken.map(({ data }) => data.toString('latin1'))).toEqual(raws)
  })

  it('no mail with non-ASCII headers from a client with SMTPUTF8 if it does not offer SMTPUTF8', async () => {
    await using office = await otherServer({ hideSMTPUTF8: true })
    expect(await answersOf(office.relay, ['eve@far.example'], { ...utf8Header, utf8: true })).toEqual([
      'eve@far.example refused: 554 5.6.9 The relay does not accept non-ASCII headers',
    ])
    expect(office.taken).toEqual([])
  })

  it('only ASCII text if it does not offer 8BITMIME', async () => {
    await using office = await otherServer({ hide8BITMIME: true, hideSMTPUTF8: true })
    expect((await sendTo(office.relay, eightBit, ['eve@far.example']))[0]!.result).toBe('relayed')
    expect(office.taken[0]!.session).toMatchObject({ bodyType: '7bit' })
    expect(String(office.taken[0]!.data)).toMatch(
      /^Subject: Hi\r\nContent-Transfer-Encoding: quoted-printable\r\n.*\r\n\r\nGr=C3=BC=C3=9Fe\r\n$/s,
    )
  })

  it('no line above 998 bytes, and the size after conversion in the parameter SIZE', async () => {
    await using far = await scriptedServer({ EHLO: '250-x\r\n250-8BITMIME\r\n250 SIZE' })
    const raw = Buffer.from(`Subject: Hi\r\n\r\n${'x'.repeat(2000)}\r\n`)
    expect((await sendTo(far.relay, { ...someMail, raw }, ['eve@far.example']))[0]!.result).toBe('relayed')
    const [, size, data] = /SIZE=(\d+)\r\n.*DATA\r\n(.*\r\n)\.\r\n/s.exec(far.sent())!
    expect(Number(size)).toBe(data!.length)
    for (const line of data!.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998)
  })

  it('only ASCII addresses if it does not offer SMTPUTF8', async () => {
    await using office = await otherServer({ hideSMTPUTF8: true })
    expect(await answersOf(office.relay, ['eve@bücher.example', 'dörte@far.example'])).toEqual([
      `eve@bücher.example relayed: the relay 127.0.0.1:${office.port} has it`,
      'dörte@far.example refused: 553 5.6.7 The relay does not accept non-ASCII addresses',
    ])
    expect(office.taken[0]!.session).toMatchObject({
      smtpUtf8: false,
      rcptTo: [{ address: 'eve@bücher.example' }],
    })
    expect(
      await answersOf(office.relay, ['eve@far.example'], { ...someMail, from: 'dörte@far.example' }),
    ).toEqual(['eve@far.example refused: 553 5.6.7 The relay does not accept non-ASCII addresses'])
  })

  it('no address that contains another command', async () => {
    await using office = await otherServer()
    const odd = ['a>\r\nRCPT TO:<b@c', 'a>b@far.example', 'eve@far.example']
    expect((await sendTo(office.relay, someMail, odd)).map(({ result }) => result)).toEqual([
      'refused',
      'refused',
      'relayed',
    ])
    expect(office.taken[0]!.session.rcptTo).toHaveLength(1)
  })

  it('CRLF instead of bare line ends', async () => {
    await using office = await otherServer()
    await sendTo(office.relay, { ...someMail, raw: Buffer.from('A: b\n\n.\n\r.\rx\r\n.\r\n..') }, [
      'eve@far.example',
    ])
    expect(String(office.taken[0]!.data)).toBe('A: b\r\n\r\n.\r\n\r\n.\r\nx\r\n.\r\n..\r\n')
  })

  it('no mail over TLS without a trusted certificate', async () => {
    const secure = { secure: true, ...certificate, hideSTARTTLS: false }
    await using office = await otherServer(secure, { tls: 'implicit', host: 'localhost' })
    expect((await answersOf(office.relay, ['eve@far.example']))[0]).toContain('self-signed certificate')
  })
})
