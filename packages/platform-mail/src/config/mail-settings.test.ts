import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { mailDomains } from '../testing/mail-listener.ts'
import { type Config, settingsOf } from '../testing/mail-program.ts'
import { mailPart } from './mail-part.ts'

const functions = { sort: { handler: () => null } }
const domains = { 'office.example': { to: 'mailboxes' } } as const

describe('mail settings', () => {
  const settings = (mail: Config['mail'], more: Partial<Config> = {}, root = '/') => {
    const read = settingsOf({ functions, ...more, ...(mail && { mail }) }, root)
    return { ...read, mail: read.of(mailPart) }
  }

  it.each([
    [true, { check: true, timeout: 5000, upstream: [] }],
    [
      { check: false, upstream: ['MX.example'] },
      { check: false, timeout: 5000, upstream: ['mx.example'] },
    ],
    [{ timeout: 2 }, { check: true, timeout: 2000, upstream: [] }],
    [false, undefined],
    [undefined, undefined],
  ] as const)('have what is checked of senders (%j)', (authentication, expected) => {
    const { mail } = settings({ domains, ...(authentication !== undefined && { authentication }) })
    expect(mail!.authentication).toEqual(expected)
  })

  it('have defaults, and contain times in milliseconds', () => {
    const { mail, control } = settings({
      domains: {
        'Office.example': { to: 'mailboxes', recipients: ['ann'] },
        'b.example': { to: 'mailboxes' },
      },
      rules: [{ direction: 'INBOUND', function: 'sort' }],
      relay: { host: 'relay.example' },
    })
    expect(control).toEqual({
      ...{ port: 9330, host: '127.0.0.1', open: false, names: [] },
      ...{ console: false, testing: false },
    })
    expect(mail).toEqual({
      port: 2525,
      host: '127.0.0.1',
      open: false,
      name: 'localhost',
      domains: mailDomains({ 'office.example': ['ann'], 'b.example': '*' }),
      rules: [
        {
          ...{ direction: 'INBOUND', functionName: 'sort', mode: 'sync', decide: 'after' },
          ...{ timeout: 0, fallback: 'DEFAULT' },
          senders: [{ matches: expect.any(Function), specificity: [0, 0, 0, 0] }],
          recipients: [{ matches: expect.any(Function), specificity: [0, 0, 0, 0] }],
        },
      ],
      functions: new Map([['sort', 8]]),
      relay: {
        protocol: 'SMTP',
        host: 'relay.example',
        port: 25,
        tls: 'verify',
        ca: undefined,
        user: undefined,
        password: undefined,
        giveUp: 432_000_000,
      },
      tls: undefined,
      trusted: ['127.0.0.0/8', '::1'],
      maxSize: 26_214_400,
      maxRecipients: 500,
      maxConnections: 200,
      maxConnectionsPerAddress: 20,
      maxRefusedRecipients: 100,
      maxReports: 100,
      mixed: 'reject',
      checkFrom: true,
      retention: 604_800_000,
    })
    expect(settings(undefined)).toMatchObject({ mail: undefined, control: undefined })
    expect(settings(undefined, { control: {} }).control).toMatchObject({ port: 9330, host: '127.0.0.1' })
  })

  it('contain each domain in Unicode and in ASCII', () => {
    const { mail } = settings({
      domains: {
        'Bücher.example': { to: 'mailboxes', recipients: ['ann'] },
        'xn--fa-hia.example': { to: 'mailboxes' },
      },
    })
    expect(mail?.domains).toEqual(
      mailDomains({
        'bücher.example': ['ann'],
        'xn--bcher-kva.example': ['ann'],
        'xn--fa-hia.example': '*',
        'faß.example': '*',
      }),
    )
  })

  it('contain the server name in ASCII', () => {
    const nameOf = (name: string) => settings({ domains, name } as Config['mail']).mail?.name
    expect(nameOf('Bücher.example')).toBe('xn--bcher-kva.example')
    expect(nameOf('Mail.office.example')).toBe('Mail.office.example')
  })

  it('use TLS from the first byte for a relay on port 465, unless tls says otherwise', () => {
    const tlsOf = (relay: object) =>
      settings({ relay: { host: 'a', ...relay } } as Config['mail']).mail?.relay
    expect(tlsOf({ port: 465 })).toMatchObject({ tls: 'implicit' })
    expect(tlsOf({ port: 465, host: '127.0.0.1' })).toMatchObject({ tls: 'implicit' })
    expect(tlsOf({ port: 465, tls: 'verify' })).toMatchObject({ tls: 'verify' })
    expect(tlsOf({ port: 587 })).toMatchObject({ tls: 'verify' })
  })

  it.each([
    ['a user', 587, { user: 'u', password: 'p' }],
    ['implicit TLS and a user', 465, { tls: 'implicit', user: 'u', password: 'p' }],
    ['implicit TLS', 465, { tls: 'implicit' }],
    ['a configured port', 7, { port: 7 }],
  ])('give a relay with %s the port %i', (_case, port, relay) => {
    expect(settings({ relay: { host: 'a', ...relay } } as Config['mail']).mail?.relay).toMatchObject({ port })
  })

  it.each([
    ['verify', { host: 'relay.example' }],
    ['opportunistic', { host: '127.0.0.1' }],
    ['opportunistic', { host: 'localhost' }],
    ['opportunistic', { host: '::1' }],
    ['verify', { host: 'localhost.example' }],
    ['verify', { host: 'localhost', tls: 'verify' }],
  ] as const)('have the TLS mode %s for the relay %j', (tls, relay) => {
    expect(settings({ relay }).mail?.relay).toMatchObject({ tls })
  })

  it('contain the certificates that may sign the relay’s, which makes the TLS mode verify on this machine, too', () => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'ca.pem'), certificate.cert)
    writeFileSync(join(folder.path, 'key.pem'), certificate.key)
    const relay = { host: 'localhost', ca: 'ca.pem' }
    expect(settings({ relay }, {}, folder.path).mail?.relay).toMatchObject({
      ...{ tls: 'verify', ca: Buffer.from(certificate.cert) },
    })
    const refused = (ca: string) => () => settings({ relay: { ...relay, ca } }, {}, folder.path)
    expect(refused('no.pem')).toThrow('/mail/relay/ca: expected a file, was no.pem, where there is none')
    expect(refused('key.pem')).toThrow(
      '/mail/relay/ca: expected certificates in PEM, was key.pem, which has none',
    )
  })

  it.each([
    ['15 seconds if the mode is sync', { mode: 'sync' }, {}, 15_000],
    ['15 seconds if no mode is set', {}, {}, 15_000],
    ['10 seconds if the mode is async', { mode: 'async' }, {}, 10_000],
    ['3 seconds if that is configured', {}, { timeout: 3 }, 3000],
  ] as const)('give the function in a rule a timeout of %s', (_, rule, given, timeout) => {
    const { functions: read } = settings(
      { domains, rules: [{ direction: 'INBOUND', function: 'sort', ...rule }] } as Config['mail'],
      {
        functions: { sort: { ...functions.sort, ...given } },
      },
    )
    expect(read).toMatchObject([{ timeout }])
  })

  it('contain the TLS certificate and its key, which must both be PEM files', () => {
    using folder = temporaryFolder()
    const tls = { cert: 'cert.pem', key: 'key.pem' }
    expect(() => settings({ domains, tls } as never, {}, folder.path)).toThrow(
      '/mail/tls/cert: expected a file, was cert.pem, where there is none\n/mail/tls/key: expected a file',
    )
    for (const file of Object.values(tls)) writeFileSync(join(folder.path, file), 'nonsense')
    expect(() => settings({ domains, tls } as never, {}, folder.path)).toThrow(
      /\/mail\/tls: expected a certificate and its key, both PEM, was files that cannot be used \(ERR_OSSL_PEM_NO_START_LINE\)$/,
    )
    writeFileSync(join(folder.path, tls.cert), certificate.cert)
    writeFileSync(join(folder.path, tls.key), certificate.key)
    const read = settings({ domains, tls } as never, {}, folder.path).mail?.tls
    expect({ cert: String(read?.cert), key: String(read?.key) }).toEqual(certificate)
  })
})
