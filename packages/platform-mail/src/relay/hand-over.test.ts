import { describe, expect, it } from '@jest/globals'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import type { SMTPServerOptions } from 'smtp-server'
import type { RelaySettings } from '../config/mail-settings.ts'
import { answersOf, otherServer, scriptedServer, sendTo, someMail } from '../testing/other-server.ts'

const eve = ['eve@far.example']
const startTls = { hideSTARTTLS: false, ...certificate }

/** Starts a server with TLS that notes whether each mail came over TLS. */
async function tlsServer(settings: Partial<RelaySettings>, options: SMTPServerOptions = {}) {
  const secure: boolean[] = []
  const onMailFrom: SMTPServerOptions['onMailFrom'] = (_address, session, done) => {
    secure.push(session.secure)
    done()
  }
  const server = await otherServer({ ...startTls, onMailFrom, ...options }, settings)
  return { ...server, secure }
}

const ca = Buffer.from(certificate.cert)

describe('with `tls`', () => {
  it.each<[string, Partial<RelaySettings>, SMTPServerOptions, boolean]>([
    ["'verify', a certificate of `ca` is accepted", { tls: 'verify', ca, host: 'localhost' }, {}, true],
    [
      "'implicit', TLS begins with the first byte",
      { tls: 'implicit', ca, host: 'localhost' },
      { secure: true },
      true,
    ],
    ["'opportunistic', any certificate is accepted", { tls: 'opportunistic' }, {}, true],
    [
      "'opportunistic', a relay without STARTTLS gets mail",
      { tls: 'opportunistic' },
      { hideSTARTTLS: true },
      false,
    ],
    ["'never', STARTTLS is not used", { tls: 'never' }, {}, false],
  ])('%s', async (_what, settings, options, isSecure) => {
    await using server = await tlsServer(settings, options)
    expect((await sendTo(server.relay, someMail, eve))[0]!.result).toBe('relayed')
    expect(server.secure).toEqual([isSecure])
    expect(server.taken[0]!.data).toEqual(someMail.raw)
  })

  it.each<[string, Partial<RelaySettings>, SMTPServerOptions, RegExp]>([
    [
      "'verify', an unknown certificate is not accepted",
      { tls: 'verify', host: 'localhost' },
      {},
      /self-signed certificate\. mail\.relay\.tls is 'verify', and mail\.relay\.ca can name the file/,
    ],
    [
      "'verify', a certificate for another name is not accepted",
      // The listener is reached under a name that the certificate does not have.
      { tls: 'verify', ca, host: '0.0.0.0' },
      {},
      /does not match certificate's altnames.*mail\.relay\.tls is 'verify'/,
    ],
    [
      "'verify', a relay without STARTTLS gets no mail",
      { tls: 'verify', host: 'localhost' },
      { hideSTARTTLS: true },
      /it does not offer STARTTLS\. mail\.relay\.tls is 'verify'$/,
    ],
    [
      "'implicit', an unknown certificate is not accepted",
      { tls: 'implicit', host: 'localhost' },
      { secure: true },
      /self-signed certificate\. mail\.relay\.tls is 'implicit'/,
    ],
    [
      "'implicit', a relay whose first bytes are plain text gets no mail",
      { tls: 'implicit', host: 'localhost' },
      {},
      /there is no TLS with it: .*\. mail\.relay\.tls is 'implicit'$/,
    ],
    [
      "'opportunistic', a password does not cross a network in plain text",
      { tls: 'opportunistic', host: '0.0.0.0', user: 'box', password: 'hush-hush' },
      { hideSTARTTLS: true },
      /mail\.relay\.tls is 'opportunistic', and the password needs TLS$/,
    ],
  ])('%s', async (_what, settings, options, why) => {
    await using server = await tlsServer(settings, options)
    const [answer] = await answersOf(server.relay, eve)
    expect(answer).toMatch(/^eve@far\.example unreachable: /)
    expect(answer).toMatch(why)
    expect(server.taken).toEqual([])
  })

  it.each([
    ['refuses STARTTLS', '454 4.7.0 TLS not available'],
    ['has no TLS after STARTTLS', '220 Go'],
  ])("'opportunistic', a relay that %s gets mail in plain text", async (_what, reply) => {
    await using server = await scriptedServer({ EHLO: '250-x\r\n250 STARTTLS', STARTTLS: reply })
    expect((await sendTo(server.relay, someMail, eve))[0]!.result).toBe('relayed')
  })
})

it.each([
  ['refuses it', '454 4.7.0 TLS not available', '454 4.7.0 TLS not available'],
  ['sends more than its reply', '220 Go\r\n250-x\r\n250 AUTH PLAIN', 'it sent more than a reply'],
])('no mail is sent in plain text to a relay that offers STARTTLS and then %s', async (_, reply, why) => {
  await using server = await scriptedServer(
    { EHLO: '250-x\r\n250 STARTTLS', STARTTLS: reply },
    { tls: 'verify' },
  )
  expect((await answersOf(server.relay, eve))[0]).toContain(`unreachable: `)
  expect((await answersOf(server.relay, eve))[0]).toContain(why)
  expect(server.sent()).not.toContain('MAIL FROM')
})

it('an old server that supports only HELO gets the MAIL command without parameters', async () => {
  await using server = await scriptedServer({ EHLO: '502 Command not implemented' })
  expect((await sendTo(server.relay, someMail, eve))[0]!.result).toBe('relayed')
  expect(server.sent()).toContain('HELO box.example\r\nMAIL FROM:<ann@far.example>\r\nRCPT TO:')
})

it.each(['PLAIN', 'LOGIN', 'CRAM-MD5'])(
  'the platform can authenticate to a relay that offers only AUTH %s',
  async method => {
    const onAuth: SMTPServerOptions['onAuth'] = ({ username, password, validatePassword }, _session, done) =>
      username === 'box' && (method === 'CRAM-MD5' ? validatePassword('hush') : password === 'hush')
        ? done(null, { user: username })
        : done(new Error('wrong'))
    const options = { authMethods: [method], authOptional: false, allowInsecureAuth: true, onAuth }
    for (const [password, result] of [
      ['hush', 'relayed'],
      ['other', 'unreachable'],
    ] as const) {
      await using server = await otherServer(options, { user: 'box', password })
      expect((await sendTo(server.relay, someMail, eve))[0]!.result).toBe(result)
      expect(server.taken.map(({ user }) => user)).toEqual(result === 'relayed' ? ['box'] : [])
    }
  },
)
