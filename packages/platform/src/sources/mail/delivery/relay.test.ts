import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import type { RelaySettings } from '../../../config/mail-settings.ts'
import { certificate } from '../../../testing/certificate.ts'
import { type Relay, relay } from './relay.ts'

const mail = { from: 'ann@far.example', raw: Buffer.from('Subject: Hi\r\n\r\nHello\r\n') }
const no = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })

/** What a server says to each recipient is the first letter's affair. */
const byName: NonNullable<SMTPServerOptions['onRcptTo']> = ({ address }, _session, done) =>
  done(
    address.startsWith('no')
      ? no(550, '5.1.1 No such user')
      : address.startsWith('wait')
        ? no(451, '4.2.0 Greylisted')
        : null,
  )

/** A server that is not ours, and a relay that hands over to it. */
async function postOffice(options: SMTPServerOptions = {}, settings: Partial<RelaySettings> = {}) {
  const taken: {
    readonly session: SMTPServerSession['envelope']
    readonly user: unknown
    readonly data: Buffer
  }[] = []
  const server = new SMTPServer({
    disableReverseLookup: true,
    authOptional: true,
    hideSTARTTLS: true,
    onRcptTo: byName,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        taken.push({ session: session.envelope, user: session.user, data: Buffer.concat(chunks) })
        done()
      })
    },
    closeTimeout: 10,
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const base = { host: '127.0.0.1', port, secure: false, user: undefined, password: undefined, giveUp: 1 }
  const to = relay({ ...base, ...settings }, 'box.example')
  return {
    port,
    taken,
    relay: to,
    [Symbol.asyncDispose]: () => new Promise<void>(resolve => server.close(resolve)),
  }
}

const results = async (to: Relay, recipients: readonly string[], of = mail) =>
  (await to.send(of, recipients)).map(({ recipient, result, why }) => `${recipient} ${result}: ${why}`)

describe('what the next server says is the answer, for each recipient', () => {
  it('250, 5xx and 4xx in one transaction', async () => {
    await using office = await postOffice()
    const to = ['eve@far.example', 'nobody@far.example', 'wait@far.example', 'kim@far.example']
    expect(await results(office.relay, to)).toEqual([
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
    expect(office.taken[0]!.data).toEqual(mail.raw)
  })

  it('when it takes nobody', async () => {
    await using office = await postOffice()
    expect(await results(office.relay, ['nobody@far.example', 'wait@far.example'])).toEqual([
      'nobody@far.example refused: 550 5.1.1 No such user',
      'wait@far.example later: 451 4.2.0 Greylisted',
    ])
    expect(office.taken).toEqual([])
  })

  it.each([
    [
      'the sender',
      { onMailFrom: (_a, _s, done) => done(no(550, '5.7.1 Not you')) },
      'refused: 550 5.7.1 Not you',
    ],
    [
      'the sender for now',
      { onMailFrom: (_a, _s, done) => done(no(451, '4.7.1 Not now')) },
      'later: 451 4.7.1 Not now',
    ],
    ['who has not logged in', { authOptional: false }, 'later: 530 Error: authentication Required'],
  ] satisfies [string, SMTPServerOptions, string][])(
    'when it does not take %s',
    async (_what, options, expected) => {
      await using office = await postOffice(options)
      const to = ['eve@far.example', 'nobody@far.example']
      const [eve] = await results(office.relay, to)
      expect(eve).toBe(`eve@far.example ${expected}`)
    },
  )

  it.each([
    [554, '5.6.0 Spam', 'refused'],
    [451, '4.3.0 Disk', 'later'],
    [552, '5.3.4 Too big', 'refused'],
  ])('when it says %i after the data, what it said of recipients stays', async (code, text, result) => {
    await using office = await postOffice({
      onData(stream, _session, done) {
        stream.resume()
        stream.on('end', () => done(no(code, text)))
      },
    })
    expect(
      await results(office.relay, ['eve@far.example', 'nobody@far.example', 'wait@far.example']),
    ).toEqual([
      `eve@far.example ${result}: ${code} ${text}`,
      'nobody@far.example refused: 550 5.1.1 No such user',
      'wait@far.example later: 451 4.2.0 Greylisted',
    ])
  })

  it('when it announces a size that the mail is above', async () => {
    await using office = await postOffice({ size: 1000 })
    const raw = Buffer.alloc(1001, 'x\r\n')
    expect(await results(office.relay, ['eve@far.example'], { ...mail, raw })).toEqual([
      'eve@far.example refused: 552 5.3.4 The mail is larger than the relay takes',
    ])
  })

  it('when it speaks in several lines, all of them in one', async () => {
    const server = createServer(socket => {
      socket.on('error', () => {})
      socket.write('220 x ESMTP\r\n')
      socket.on('data', data => {
        const command = String(data)
        if (command.startsWith('EHLO')) socket.write('250 x\r\n')
        else if (command.startsWith('MAIL'))
          socket.write('550-5.7.1 One\r\n550-5.7.1 \x1b[31mtwo\r\n550 5.7.1 three\r\n')
        else socket.end('221 Bye\r\n')
      })
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const settings = {
      host: '127.0.0.1',
      port,
      secure: false,
      user: undefined,
      password: undefined,
      giveUp: 1,
    }
    expect(await results(relay(settings, 'box'), ['eve@far.example'])).toEqual([
      'eve@far.example refused: 550 5.7.1 One [31mtwo three',
    ])
    await new Promise(resolve => server.close(resolve))
  })
})

describe('what is no word about the mail is tried again', () => {
  it('a server that is not there', async () => {
    await using office = await postOffice()
    await office[Symbol.asyncDispose]()
    expect(await results(office.relay, ['eve@far.example'])).toEqual([
      `eve@far.example later: the relay 127.0.0.1:${office.port} cannot take it now: connect ECONNREFUSED 127.0.0.1:${office.port}`,
    ])
  })

  it.each([
    ['that greets nobody', '554 5.3.2 Go away\r\n', '554 5.3.2 Go away'],
    ['that closes at once', '', 'cannot take it now: Connection closed unexpectedly'],
    [
      'that speaks something else',
      'HTTP/1.1 400 Bad Request\r\n\r\n',
      'cannot take it now: Invalid greeting',
    ],
    ['that stops', '220 x\r\n421 4.3.2 Stopping\r\n', '421 4.3.2 Stopping'],
  ])('a server %s', async (_kind, said, expected) => {
    const server = createServer(socket => {
      socket.on('error', () => {})
      socket.resume().end(said)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const settings = {
      host: '127.0.0.1',
      port,
      secure: false,
      user: undefined,
      password: undefined,
      giveUp: 1,
    }
    const [answer] = await relay(settings, 'box').send(mail, ['eve@far.example'])
    expect(answer).toMatchObject({ result: 'later', why: expect.stringContaining(expected) })
    await new Promise(resolve => server.close(resolve))
  })

  it('what is under way when the box stops', async () => {
    let seen = () => {}
    const begun = new Promise<void>(resolve => (seen = resolve))
    await using office = await postOffice({ onMailFrom: () => seen() })
    const answers = results(office.relay, ['eve@far.example', 'kim@far.example'])
    await begun
    office.relay.close()
    expect(await answers).toEqual(
      ['eve', 'kim'].map(
        name =>
          `${name}@far.example later: the relay 127.0.0.1:${office.port} cannot take it now: the box is stopping`,
      ),
    )
  })
})

describe('passwords', () => {
  const secret = 'hush-hush'
  const onAuth: NonNullable<SMTPServerOptions['onAuth']> = ({ username, password }, _session, done) =>
    password === secret
      ? done(null, { user: username })
      : done(null, { message: `Not ${username} ${password}` })

  it('are said to a relay that asks for them', async () => {
    await using office = await postOffice({ onAuth, authOptional: false }, { user: 'box', password: secret })
    await office.relay.send(mail, ['eve@far.example'])
    expect(office.taken).toMatchObject([{ user: 'box' }])
  })

  it('are in no answer, even when the relay repeats them; a wrong one can be mended', async () => {
    await using office = await postOffice(
      { onAuth, authOptional: false },
      { user: 'box', password: 'wrong-one' },
    )
    expect(await results(office.relay, ['eve@far.example'])).toEqual(['eve@far.example later: 535 Not box …'])
  })

  it('do not go over a network in the clear', async () => {
    // 192.0.2.0/24 is nobody's; what counts is what is asked of the library.
    const { optionsOf } = await import('./relay-options.ts')
    const settings = { port: 25, secure: false, giveUp: 1 }
    const requires = (host: string, password: string | undefined, secure = false) =>
      optionsOf({ ...settings, host, secure, user: password && 'box', password }, 'box').requireTLS
    expect(requires('192.0.2.1', secret)).toBe(true)
    expect(requires('192.0.2.1', undefined)).toBe(false)
    expect(requires('192.0.2.1', secret, true)).toBe(false)
    expect(requires('127.0.0.1', secret)).toBe(false)
    expect(requires('localhost.evil.example', secret)).toBe(true)
  })
})

describe('what is said', () => {
  it('a report comes from the null sender', async () => {
    await using office = await postOffice()
    await office.relay.send({ ...mail, from: '' }, ['eve@far.example'])
    expect(office.taken[0]!.session.mailFrom).toMatchObject({ address: '' })
  })

  it('SMTPUTF8 and 8BITMIME when they are needed, and only then', async () => {
    await using office = await postOffice()
    await office.relay.send(mail, ['eve@far.example'])
    await office.relay.send({ ...mail, raw: Buffer.from('Subject: ä\r\n\r\n') }, [
      'dörte@bücher.example',
      '"a b"@far.example',
    ])
    expect(office.taken.map(({ session }) => [session.smtpUtf8, session.bodyType])).toEqual([
      [false, '7bit'],
      [true, '8bitmime'],
    ])
  })

  it('to a server without SMTPUTF8: domains in ASCII, and no local parts beyond it', async () => {
    await using office = await postOffice({ hideSMTPUTF8: true })
    expect(await results(office.relay, ['eve@bücher.example', 'dörte@far.example'])).toEqual([
      `eve@bücher.example relayed: the relay 127.0.0.1:${office.port} has it`,
      'dörte@far.example refused: 553 5.6.7 The relay does not take addresses beyond ASCII',
    ])
    expect(office.taken[0]!.session).toMatchObject({ smtpUtf8: false, rcptTo: [expect.anything()] })
    expect(await results(office.relay, ['eve@far.example'], { ...mail, from: 'dörte@far.example' })).toEqual([
      'eve@far.example refused: 553 5.6.7 The relay does not take addresses beyond ASCII',
    ])
  })

  it('no address that would say something else', async () => {
    await using office = await postOffice()
    const odd = ['a>\r\nRCPT TO:<b@c', '"<x>"@far.example', 'eve@far.example']
    expect((await office.relay.send(mail, odd)).map(({ result }) => result)).toEqual([
      'refused',
      'refused',
      'relayed',
    ])
    expect(office.taken[0]!.session.rcptTo).toHaveLength(1)
  })

  it('a mail with bare line ends has whole ones, so that no server sees an end in the middle of it', async () => {
    await using office = await postOffice()
    await office.relay.send({ ...mail, raw: Buffer.from('A: b\n\n.\n\r.\rx\r\n.\r\n..') }, [
      'eve@far.example',
    ])
    expect(String(office.taken[0]!.data)).toBe('A: b\r\n\r\n.\r\n\r\n.\r\nx\r\n.\r\n..\r\n')
  })

  it('over TLS from the first byte on, to a server that proves who it is', async () => {
    const secure = { secure: true, ...certificate, hideSTARTTLS: false }
    await using office = await postOffice(secure, { secure: true, host: 'localhost' })
    expect((await results(office.relay, ['eve@far.example']))[0]).toContain('self-signed certificate')
  })
})
