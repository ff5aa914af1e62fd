import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import type { SMTPServerOptions } from 'smtp-server'
import {
  answersOf,
  oddServer,
  otherServer,
  relayAt,
  scriptedServer,
  sendTo,
  someMail,
} from '../testing/other-server.ts'
import { requiresTls } from './hand-over.ts'
import { relay } from './relay.ts'

describe('a delivery to the relay', () => {
  it('is retried if the port number is invalid', async () => {
    const [answer] = await sendTo(relay(relayAt(70_000), 'box'), someMail, ['eve@far.example'])
    expect(answer).toMatchObject({ result: 'unreachable', why: expect.stringContaining('70000') })
  })

  it('is retried after a refused connection', async () => {
    await using office = await otherServer()
    await office[Symbol.asyncDispose]()
    expect(await answersOf(office.relay, ['eve@far.example'])).toEqual([
      `eve@far.example unreachable: the relay 127.0.0.1:${office.port} cannot take it now: connect ECONNREFUSED 127.0.0.1:${office.port}`,
    ])
  })

  it.each([
    ['refuses every client', '554 5.3.2 Go away\r\n', '554 5.3.2 Go away'],
    ['closes the connection at once', '', 'cannot take it now: the connection was closed'],
    [
      'speaks another protocol',
      'HTTP/1.1 400 Bad Request\r\n\r\n',
      'cannot take it now: it sent a malformed reply: HTTP/1.1 400 Bad Request',
    ],
    ['is stopping', '220 x\r\n421 4.3.2 Stopping\r\n', '421 4.3.2 Stopping'],
  ])('is retried if the relay %s', async (_kind, said, expected) => {
    await using odd = await oddServer(socket => void socket.resume().end(said))
    const [answer] = await sendTo(odd.relay, someMail, ['eve@far.example'])
    expect(answer).toMatchObject({ result: 'unreachable', why: expect.stringContaining(expected) })
  })

  it.each([
    ['to EHLO', 'EHLO', 2 * 60_000, 'unreachable'],
    ['to a mail', 'Subject', 15 * 60_000 + Math.ceil(someMail.raw.length / 16), 'later'],
  ])(
    'is retried after the time limit if the relay never finishes its reply %s',
    async (_when, last, time, result) => {
      const clock = manualClock(0)
      let dripping = () => {}
      const begun = new Promise<void>(resolve => (dripping = resolve))
      await using odd = await oddServer(socket => {
        socket.write('220 x\r\n')
        socket.on('data', data => {
          if (!String(data).startsWith(last))
            return void socket.write(String(data).startsWith('DATA') ? '354 Go on\r\n' : '250 x\r\n')
          const drip = setInterval(() => {
            socket.write('250-still here\r\n')
            dripping()
          }, 1)
          socket.once('close', () => clearInterval(drip))
        })
      }, clock)
      let answer: readonly string[] = []
      const over = answersOf(odd.relay, ['eve@far.example']).then(lines => {
        answer = lines
      })
      await begun
      await clock.advance(time - 1)
      expect(answer).toEqual([])
      await clock.advance(1)
      await over
      expect(answer).toEqual([expect.stringMatching(`^eve@far\\.example ${result}: .* it takes too long$`)])
    },
  )

  it('is retried after an unknown reply code', async () => {
    await using odd = await scriptedServer({ 'RCPT TO': '999 No' })
    expect(await answersOf(odd.relay, ['eve@far.example'])).toEqual([
      expect.stringMatching(/^eve@far\.example later: .* it sent a malformed reply: 999 No$/),
    ])
  })

  const malformed = [
    'Thank you',
    '25 2.0.0 Thank you',
    '2',
    '250Thank you',
    '2500 Thank you',
    '550No',
    '55O No',
    '5',
    '250-Thank\r\n550 No',
    '550-No\r\nreally\r\n550 no',
    '\x150 Thank you',
  ]

  it.each(malformed)(
    'is retried if the relay replies to the final dot with the malformed line %j',
    async said => {
      await using odd = await scriptedServer({ '.': said })
      expect(await answersOf(odd.relay, ['eve@far.example'])).toEqual([
        expect.stringMatching(/^eve@far\.example later: .* it sent a malformed reply: /),
      ])
    },
  )

  it.each(['MAIL FROM', 'RCPT TO', 'DATA'])('is retried after a malformed reply to %s', async command => {
    for (const said of malformed) {
      await using odd = await scriptedServer({ [command]: said })
      expect((await sendTo(odd.relay, someMail, ['eve@far.example']))[0]!.result).toBe('later')
    }
  })

  it.each([
    ['MAIL FROM', '354 Go on'],
    ['RCPT TO', '354 Go on'],
    ['DATA', '250 OK'],
    ['.', '354 Go on'],
  ])('is retried after a reply to %s that belongs to another command: %s', async (command, said) => {
    await using odd = await scriptedServer({ [command]: said })
    expect(await answersOf(odd.relay, ['eve@far.example'])).toEqual([
      expect.stringMatching(
        `^eve@far\\.example later: .* it sent a malformed reply to ${command === '.' ? 'DATA' : command}: ${said}$`,
      ),
    ])
  })

  it.each(['EHLO', 'RCPT TO', 'DATA'])('is retried if two replies to %s come together', async command => {
    const usual = command === 'DATA' ? '354 Go on' : '250 OK'
    await using odd = await scriptedServer({ [command]: `${usual}\r\n250 OK` })
    expect(await answersOf(odd.relay, ['eve@far.example'])).toEqual([
      expect.stringMatching(/^eve@far\.example later: .* it sent a reply without a command: 250 OK$/),
    ])
  })

  it('is retried if a reply never ends, line after line', async () => {
    await using odd = await scriptedServer({ 'MAIL FROM': '250-OK\r\n'.repeat(20_000) })
    expect(await answersOf(odd.relay, ['eve@far.example'])).toEqual([
      expect.stringMatching(/^eve@far\.example later: .* it sent a reply that is too long$/),
    ])
  })

  it('is retried after a malformed reply with the password, and its result does not show the password', async () => {
    await using odd = await scriptedServer(
      { AUTH: 'What is hush"hush?' },
      { user: 'box', password: 'hush"hush' },
    )
    expect((await sendTo(odd.relay, someMail, ['eve@far.example']))[0]).toMatchObject({
      result: 'unreachable',
      why: expect.stringMatching(/malformed reply: What is …\?$/),
    })
  })

  it('is retried if the platform stops during the transfer', async () => {
    let seen = () => {}
    const begun = new Promise<void>(resolve => (seen = resolve))
    await using office = await otherServer({ onMailFrom: () => seen() })
    const answers = answersOf(office.relay, ['eve@far.example', 'kim@far.example'])
    await begun
    office.relay.close()
    expect(await answers).toEqual(
      ['eve', 'kim'].map(
        name =>
          `${name}@far.example later: the relay 127.0.0.1:${office.port} cannot take it now: the platform is stopping`,
      ),
    )
  })

  it('is retried if the platform stops and the server keeps the connection half-open', async () => {
    let hang = (_socket: Socket) => {}
    const hanging = new Promise<Socket>(resolve => (hang = resolve))
    await using odd = await oddServer(socket => {
      socket.allowHalfOpen = true
      socket.write('220 x\r\n')
      socket.once('data', () => hang(socket))
    })
    const answer = answersOf(odd.relay, ['eve@far.example'])
    const socket = await hanging
    const over = new Promise(resolve => socket.once('close', resolve))
    odd.relay.close()
    await answer
    await once(socket, 'end')
    // If the connection were only half-closed, these writes would not fail.
    for (let writes = 0; !socket.destroyed && writes < 100; writes++) {
      socket.write('220 x\r\n')
      await new Promise(resolve => setImmediate(resolve))
    }
    const isReset = socket.destroyed
    socket.destroy()
    await over
    expect(isReset).toBe(true)
  })
})

describe('an unreachable relay', () => {
  it('is not contacted for 30 seconds, even if more mails are waiting', async () => {
    const clock = manualClock(0)
    let connections = 0
    await using odd = await oddServer(socket => {
      connections++
      socket.end('421 4.3.2 Stopping\r\n')
    }, clock)
    const send = async () => (await answersOf(odd.relay, ['eve@far.example']))[0]
    const first = await send()
    expect(first).toBe('eve@far.example unreachable: 421 4.3.2 Stopping')
    expect(await Promise.all([send(), send()])).toEqual([first, first])
    await clock.advance(29_999)
    await send()
    expect(connections).toBe(1)
    await clock.advance(1)
    await send()
    expect(connections).toBe(2)
  })

  it('is reported as "unreachable", but a relay that disconnects during a mail is not', async () => {
    await using odd = await scriptedServer({ '.': '' })
    expect((await sendTo(odd.relay, someMail, ['eve@far.example']))[0]!.result).toBe('later')
  })
})

describe('passwords for the relay', () => {
  const secret = 'hush-hush'
  const onAuth: NonNullable<SMTPServerOptions['onAuth']> = ({ username, password }, _session, done) =>
    password === secret
      ? done(null, { user: username })
      : done(null, { message: `Not ${username} ${password}` })

  it('are sent to a relay that offers AUTH', async () => {
    await using office = await otherServer({ onAuth, authOptional: false }, { user: 'box', password: secret })
    await sendTo(office.relay, someMail, ['eve@far.example'])
    expect(office.taken).toMatchObject([{ user: 'box' }])
  })

  it('do not appear in results when the relay repeats them, and wrong passwords cause temporary failures', async () => {
    await using office = await otherServer(
      { onAuth, authOptional: false },
      { user: 'box', password: 'wrong-one' },
    )
    expect(await answersOf(office.relay, ['eve@far.example'])).toEqual([
      'eve@far.example unreachable: 535 Not box …',
    ])
  })

  it('are never sent over a network without TLS', async () => {
    // 192.0.2.0/24 is reserved for documentation, so no machine has an address in it.
    const requires = (host: string, password: string | undefined) =>
      requiresTls({ host, tls: 'opportunistic', user: password && 'box' })
    expect(requires('192.0.2.1', secret)).toBe(true)
    expect(requires('192.0.2.1', undefined)).toBe(false)
    expect(requires('127.0.0.1', secret)).toBe(false)
    expect(requires('localhost.evil.example', secret)).toBe(true)
  })
})
