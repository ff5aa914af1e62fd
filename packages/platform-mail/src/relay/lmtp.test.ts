import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import type { SMTPServerOptions } from 'smtp-server'
import { mailSetup } from '../testing/mail-setup.ts'
import { answersOf, no, otherServer, relayAt, someMail } from '../testing/other-server.ts'
import { relay } from './relay.ts'

const lmtp = { protocol: 'LMTP' } as const
/** The callback takes a list of replies, which its type does not say. */
type Done = (error: null, replies: readonly unknown[]) => void

/** Refuses the content for recipients whose names begin with `full`, and defers it for those that begin with `busy`. */
const byRecipient: NonNullable<SMTPServerOptions['onData']> = (stream, { envelope }, done) => {
  stream.resume()
  stream.on('end', () => {
    const replies = envelope.rcptTo.map(({ address }) =>
      address.startsWith('full')
        ? no(552, '5.2.2 Quota exceeded')
        : address.startsWith('busy')
          ? no(451, '4.3.2 Busy')
          : 'Saved',
    )
    ;(done as Done)(null, replies)
  })
}

describe('a server that speaks LMTP', () => {
  it('says for each recipient whether it has the mail, before and after the content', async () => {
    await using store = await otherServer({ lmtp: true, onData: byRecipient }, lmtp)
    const to = ['eve', 'nobody', 'full', 'wait', 'busy', 'kim'].map(name => `${name}@office.example`)
    expect(await answersOf(store.relay, to)).toEqual([
      `eve@office.example relayed: the LMTP server 127.0.0.1:${store.port} has it`,
      'nobody@office.example refused: 550 5.1.1 No such user',
      'full@office.example refused: 552 5.2.2 Quota exceeded',
      'wait@office.example later: 451 4.2.0 Greylisted',
      'busy@office.example later: 451 4.3.2 Busy',
      `kim@office.example relayed: the LMTP server 127.0.0.1:${store.port} has it`,
    ])
  })

  it('has the mail for the recipients whose replies came before the connection was lost', async () => {
    await using store = await otherServer(
      {
        lmtp: true,
        onData(stream, _session, done) {
          stream.resume()
          stream.on('end', () => (done as Done)(null, ['Saved']))
        },
        socketTimeout: 200,
      },
      lmtp,
    )
    const [eve, kim] = await answersOf(store.relay, ['eve@office.example', 'kim@office.example'])
    expect(eve).toContain('relayed')
    expect(kim).toMatch(/^kim@office\.example later: /)
  })

  it('is not taken for one if it speaks SMTP only', async () => {
    await using office = await otherServer({}, lmtp)
    expect(await answersOf(office.relay, ['eve@office.example'])).toEqual([
      expect.stringMatching(/^eve@office\.example unreachable: 500 /),
    ])
  })

  it('can listen on a Unix socket, whose path senders do not see', async () => {
    using folder = temporaryFolder()
    const socket = join(folder.path, 'lmtp')
    const away = relay({ ...relayAt(24), ...lmtp, socket }, 'box.example')
    expect(await answersOf(away, ['eve@office.example'])).toEqual([
      expect.stringContaining('the LMTP server of this machine cannot take it now'),
    ])
    await using store = await otherServer({ lmtp: true })
    const proxy = createServer(client => {
      const server = client.pipe(connect(store.port, '127.0.0.1'))
      server.pipe(client)
    })
    await new Promise<void>(resolve => proxy.listen(socket, resolve))
    try {
      const here = relay({ ...relayAt(24), ...lmtp, socket }, 'box.example')
      expect(await answersOf(here, ['eve@office.example'])).toEqual([
        'eve@office.example relayed: the LMTP server of this machine has it',
      ])
      expect(store.taken[0]!.data).toEqual(someMail.raw)
    } finally {
      proxy.close()
    }
  })
})

describe('the domains of a configuration that a server files', () => {
  it('share the server, which also gets the mail that a function moves to junk, with a flag', async () => {
    await using store = await otherServer({ lmtp: true })
    const to = { lmtp: { port: store.port } }
    const office = await mailSetup(
      ({ envelope }) => ({
        actions: envelope.recipients.some(({ address }) => address.startsWith('spam'))
          ? [{ action: { type: 'MOVE_TO_JUNK' }, allRecipients: true }]
          : [{ action: { type: 'DEFAULT' }, allRecipients: true }],
      }),
      { domains: { 'office.example': { to }, 'shop.example': { to, recipients: ['ann'] } }, relay: 'keep' },
    )
    try {
      const both = await office.send({ to: ['bob@office.example', 'ann@shop.example'] })
      const junk = await office.send({ to: 'spam@office.example' })
      await office.calm()
      expect(await office.recipientStates(both)).toEqual({
        'bob@office.example': 'relayed',
        'ann@shop.example': 'relayed',
      })
      expect(await office.recipientStates(junk)).toEqual({ 'spam@office.example': 'relayed' })
      const taken = store.taken.map(({ session, data }) => [
        session.rcptTo.map(({ address }) => address).sort(),
        /^X-Spam-Flag: YES\r$/m.test(String(data)),
      ])
      expect(taken.sort()).toEqual([
        [['ann@shop.example', 'bob@office.example'], false],
        [['spam@office.example'], true],
      ])
    } finally {
      await office.platform.stop()
    }
  })
})
