import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { SMTPServerOptions } from 'smtp-server'
import { certificate } from '../../../platform-runtime/src/testing/certificate.ts'
import { answersOf, otherServer, scriptedServer, sendTo, someMail } from '../testing/other-server.ts'

const eve = ['eve@far.example']
const startTls = { hideSTARTTLS: false, ...certificate }

describe('STARTTLS', () => {
  const original = tls.getCACertificates('default')
  beforeAll(() => tls.setDefaultCACertificates([...original, certificate.cert]))
  afterAll(() => tls.setDefaultCACertificates(original))

  it('encrypts a connection to a relay that offers it', async () => {
    let isSecure: boolean | undefined
    const onMailFrom: SMTPServerOptions['onMailFrom'] = (_address, session, done) => {
      isSecure = session.secure
      done()
    }
    await using server = await otherServer({ ...startTls, onMailFrom }, { host: 'localhost' })
    expect(await answersOf(server.relay, eve)).toEqual([
      `eve@far.example relayed: the relay localhost:${server.port} has it`,
    ])
    expect(isSecure).toBe(true)
    expect(server.taken[0]!.data).toEqual(someMail.raw)
  })

  it('is not needed if "secure" is true, because TLS then begins with the first byte', async () => {
    await using server = await otherServer(
      { secure: true, ...certificate },
      { secure: true, host: 'localhost' },
    )
    expect((await sendTo(server.relay, someMail, eve))[0]!.result).toBe('relayed')
  })

  it('fails if the relay’s certificate is for a different host name', async () => {
    // The listener is reached under a name that the certificate does not have.
    await using server = await otherServer(startTls, { host: '0.0.0.0' })
    const [answer] = await answersOf(server.relay, eve)
    expect(answer).toMatch(/^eve@far\.example unreachable: .*does not match certificate's altnames/)
    expect(server.taken).toEqual([])
  })
})

it('a relay whose certificate is not trusted gets no mail', async () => {
  await using server = await otherServer(startTls, { host: 'localhost' })
  expect((await answersOf(server.relay, eve))[0]).toMatch(/unreachable: .*self-signed certificate/)
  expect(server.taken).toEqual([])
})

it.each([
  ['refuses it', '454 4.7.0 TLS not available', '454 4.7.0 TLS not available'],
  ['sends more than its reply', '220 Go\r\n250-x\r\n250 AUTH PLAIN', 'it sent more than a reply'],
])('no mail is sent in plain text to a relay that offers STARTTLS and then %s', async (_, reply, why) => {
  await using server = await scriptedServer({ EHLO: '250-x\r\n250 STARTTLS', STARTTLS: reply })
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
