import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { configProblems, settingsOf } from '../testing/mail-program.ts'
import { mailPart } from './mail-part.ts'

const functions = { sort: { handler: () => null } }
const secret = 'a-secret-of-sixteen-characters'
const problemsOf = (mail: object) => configProblems({ functions, mail })
const lines = (mail: object) =>
  problemsOf(mail).map(({ pointer, expected, actual }) => `${pointer}: ${expected}; ${actual}`)
const settingsIn = (folder: string, hooks: object) =>
  settingsOf({ functions, mail: { hooks, trusted: ['10.0.0.0/8'] } } as never, folder).of(mailPart)!

describe('the setting of the hooks', () => {
  it('accepts a port and a secret, without domains and relay', () => {
    expect(lines({ hooks: { port: 0, secret } })).toEqual([])
    const tls = { cert: 'cert.pem', key: 'key.pem' }
    expect(lines({ hooks: { port: 8892, host: '0.0.0.0', tls, secret, junkSubaddress: 'junk' } })).toEqual([])
  })

  it.each<[string, object, readonly string[]]>([
    ['no port', { secret }, ['/mail/hooks/port: an integer from 0 to 65535; nothing']],
    ['no secret', { port: 0 }, ['/mail/hooks/secret: a text, { env: NAME } or { file: PATH }; nothing']],
    [
      'other machines without TLS',
      { port: 0, secret, host: '0.0.0.0' },
      ['/mail/hooks/host: an address of this machine, or a certificate in mail.hooks.tls; 0.0.0.0'],
    ],
    [
      'open: true',
      { port: 0, secret, open: true },
      [
        '/mail/hooks/open: no such setting: each mail server needs the secret, and other machines also need tls; an unknown name',
      ],
    ],
    [
      'a subaddress with a sign',
      { port: 0, secret, junkSubaddress: '+junk' },
      ["/mail/hooks/junkSubaddress: letters, digits, - and _; string '+junk'"],
    ],
    [
      'the port of another listener',
      { port: 2525, secret },
      ['/mail/hooks/port: a port of its own, since mail has this one; 2525'],
    ],
  ])('refuses %s', (_, hooks, problems) => {
    expect(lines({ hooks })).toEqual(problems)
  })

  it('reads the secret from a file, refuses a short one, and never shows it', () => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'secret'), `${secret}\n`, { mode: 0o600 })
    writeFileSync(join(folder.path, 'short'), 'too-short-by-1-\n', { mode: 0o600 })
    expect(settingsIn(folder.path, { port: 0, secret: { file: 'secret' } }).hooks).toEqual({
      ...{ port: 0, host: '127.0.0.1', secret, tls: undefined, junkSubaddress: undefined },
      outboundClients: ['10.0.0.0/8'],
    })
    for (const short of ['too-short-by-1-', { file: 'short' }]) {
      const start = () => settingsIn(folder.path, { port: 0, secret: short })
      expect(start).toThrow('at least 16 characters')
      expect(start).not.toThrow('too-short')
    }
    expect(() => settingsIn(folder.path, { port: 0, secret: { file: 'none' } })).toThrow(
      'none, where there is none',
    )
  })

  it('reads the certificate', () => {
    using folder = temporaryFolder()
    for (const [name, text] of Object.entries({ cert: certificate.cert, key: certificate.key }))
      writeFileSync(join(folder.path, `${name}.pem`), text)
    const tls = { cert: 'cert.pem', key: 'key.pem' }
    expect(String(settingsIn(folder.path, { port: 0, secret, tls }).hooks!.tls!.cert)).toBe(certificate.cert)
    expect(() => settingsIn(folder.path, { port: 0, secret, tls: { ...tls, cert: 'no.pem' } })).toThrow(
      'no.pem',
    )
  })

  it('lets rules be for outbound mail, and for inbound mail to the domains', () => {
    const outbound = [{ direction: 'OUTBOUND', function: 'sort', recipients: ['office.example'] }]
    const inbound = [{ direction: 'INBOUND', function: 'sort' }]
    const domains = { 'office.example': { to: 'mailboxes' } }
    const hooks = { port: 0, secret }
    expect(lines({ hooks, rules: outbound, domains })).toEqual([])
    expect(lines({ hooks, rules: inbound, domains })).toEqual([])
    // Mail servers do not say over HTTP which mail is inbound.
    expect(lines({ hooks, rules: inbound })).toEqual([
      '/mail/rules/0/direction: domains in the configuration: without them, no mail is inbound; INBOUND',
    ])
    expect(lines({ hooks, domains, rules: [{ ...inbound[0], recipients: ['far.example'] }] })).toHaveLength(1)
  })
})
