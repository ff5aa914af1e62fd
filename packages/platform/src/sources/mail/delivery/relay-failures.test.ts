import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import type { SMTPServerOptions } from 'smtp-server'
import { answersOf, oddServer, otherServer, someMail } from '../../../testing/other-server.ts'
import { relay } from './relay.ts'
import { optionsOf } from './relay-options.ts'

describe('what is no word about the mail is tried again', () => {
  it('a port that can be none', async () => {
    const settings = { host: '127.0.0.1', port: 70_000, secure: false, user: undefined, password: undefined }
    const [answer] = await relay({ ...settings, giveUp: 1 }, 'box').send(someMail, ['eve@far.example'])
    expect(answer).toMatchObject({ result: 'later', why: expect.stringContaining('70000') })
  })

  it('a server that is not there', async () => {
    await using office = await otherServer()
    await office[Symbol.asyncDispose]()
    expect(await answersOf(office.relay, ['eve@far.example'])).toEqual([
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
    await using odd = await oddServer(socket => void socket.resume().end(said))
    const [answer] = await odd.relay.send(someMail, ['eve@far.example'])
    expect(answer).toMatchObject({ result: 'later', why: expect.stringContaining(expected) })
  })

  it('a server that goes on and on, and never comes to an end, holds a mail for an hour', async () => {
    const clock = manualClock(0)
    let dripping = () => {}
    const begun = new Promise<void>(resolve => (dripping = resolve))
    await using odd = await oddServer(socket => {
      socket.write('220-Welcome\r\n')
      socket.once('close', () => clearInterval(drip))
      const drip = setInterval(() => {
        socket.write('220-still here\r\n')
        dripping()
      }, 1)
    }, clock)
    let answer: readonly string[] = []
    const over = answersOf(odd.relay, ['eve@far.example']).then(lines => {
      answer = lines
    })
    await begun
    await clock.advance(60 * 60_000 - 1)
    expect(answer).toEqual([])
    await clock.advance(1)
    await over
    expect(answer).toEqual([expect.stringMatching(/^eve@far\.example later: .* it takes too long$/)])
  })

  it('a code that SMTP does not have', async () => {
    await using odd = await oddServer(socket => {
      socket.write('220 x\r\n')
      socket.on('data', line => socket.write(String(line).startsWith('RCPT') ? '999 No\r\n' : '250 x\r\n'))
    })
    expect(await answersOf(odd.relay, ['eve@far.example'])).toEqual(['eve@far.example later: 999 No'])
  })

  it('what is under way when the box stops', async () => {
    let seen = () => {}
    const begun = new Promise<void>(resolve => (seen = resolve))
    await using office = await otherServer({ onMailFrom: () => seen() })
    const answers = answersOf(office.relay, ['eve@far.example', 'kim@far.example'])
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
    await using office = await otherServer({ onAuth, authOptional: false }, { user: 'box', password: secret })
    await office.relay.send(someMail, ['eve@far.example'])
    expect(office.taken).toMatchObject([{ user: 'box' }])
  })

  it('are in no answer, even when the relay repeats them; a wrong one can be mended', async () => {
    await using office = await otherServer(
      { onAuth, authOptional: false },
      { user: 'box', password: 'wrong-one' },
    )
    expect(await answersOf(office.relay, ['eve@far.example'])).toEqual([
      'eve@far.example later: 535 Not box …',
    ])
  })

  it('do not go over a network in the clear', async () => {
    // 192.0.2.0/24 is nobody's; what counts is what is asked of the library.
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
