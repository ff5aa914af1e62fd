import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { certificate } from '../../../platform-runtime/src/testing/certificate.ts'
import { temporaryFolder } from '../../../platform-runtime/src/testing/temporary-folder.ts'
import { type Config, settingsOf } from '../testing/mail-program.ts'
import { mailPart } from './mail-part.ts'

const functions = { sort: { handler: () => null } }
const mailboxes = { 'office.example': '*' }

describe('mail settings', () => {
  const settings = (mail: Config['mail'], more: Partial<Config> = {}, root = '/') => {
    const read = settingsOf({ functions, ...more, ...(mail && { mail }) }, root)
    return { ...read, mail: read.of(mailPart) }
  }

  it('have defaults, and contain times in milliseconds', () => {
    const { mail, control } = settings({
      mailboxes: { 'Office.example': ['ann'], 'b.example': '*' },
      rules: [{ direction: 'INBOUND', function: 'sort' }],
      relay: { host: 'relay.example' },
    })
    expect(control).toEqual({ port: 9330, host: '127.0.0.1', open: false, names: [], console: false })
    expect(mail).toEqual({
      port: 2525,
      host: '127.0.0.1',
      name: 'localhost',
      mailboxes: new Map<string, unknown>([
        ['office.example', new Set(['ann'])],
        ['b.example', '*'],
      ]),
      rules: [{ direction: 'INBOUND', functionName: 'sort', mode: 'sync', timeout: 0, fallback: 'DEFAULT' }],
      functions: new Map([['sort', 8]]),
      relay: {
        host: 'relay.example',
        port: 25,
        secure: false,
        user: undefined,
        password: undefined,
        giveUp: 432_000_000,
      },
      tls: undefined,
      trusted: ['127.0.0.0/8', '::1'],
      sizeLimit: 26_214_400,
      recipientsLimit: 500,
      connectionsLimit: 200,
      connectionsPerAddress: 20,
      refusedRecipientsLimit: 100,
      checkFrom: true,
      retention: 604_800_000,
    })
    expect(settings(undefined)).toMatchObject({ mail: undefined, control: undefined })
    expect(settings(undefined, { control: {} }).control).toMatchObject({ port: 9330, host: '127.0.0.1' })
  })

  it('contain each domain in Unicode and in ASCII', () => {
    const { mail } = settings({ mailboxes: { 'Bücher.example': ['ann'], 'xn--fa-hia.example': '*' } })
    expect(mail?.mailboxes).toEqual(
      new Map<string, unknown>([
        ['bücher.example', new Set(['ann'])],
        ['xn--bcher-kva.example', new Set(['ann'])],
        ['xn--fa-hia.example', '*'],
        ['faß.example', '*'],
      ]),
    )
  })

  it('contain the server name in ASCII', () => {
    const nameOf = (name: string) => settings({ mailboxes, name } as Config['mail']).mail?.name
    expect(nameOf('Bücher.example')).toBe('xn--bcher-kva.example')
    expect(nameOf('Mail.office.example')).toBe('Mail.office.example')
  })

  it.each([
    ['a user', 587, { user: 'u', password: 'p' }],
    ['"secure" and a user', 465, { secure: true, user: 'u', password: 'p' }],
    ['"secure"', 465, { secure: true }],
    ['a configured port', 7, { port: 7 }],
  ])('give a relay with %s the port %i', (_case, port, relay) => {
    expect(settings({ relay: { host: 'a', ...relay } }).mail?.relay).toMatchObject({ port })
  })

  it.each([
    ['15 seconds if the mode is sync', { mode: 'sync' }, {}, 15_000],
    ['15 seconds if no mode is set', {}, {}, 15_000],
    ['10 seconds if the mode is async', { mode: 'async' }, {}, 10_000],
    ['3 seconds if that is configured', {}, { timeout: 3 }, 3000],
  ] as const)('give the function in a rule a timeout of %s', (_, rule, given, timeout) => {
    const { functions: read } = settings(
      { mailboxes, rules: [{ direction: 'INBOUND', function: 'sort', ...rule }] } as Config['mail'],
      {
        functions: { sort: { ...functions.sort, ...given } },
      },
    )
    expect(read).toMatchObject([{ timeout }])
  })

  it('contain the TLS certificate and its key, which must both be PEM files', () => {
    using folder = temporaryFolder()
    const tls = { cert: 'cert.pem', key: 'key.pem' }
    expect(() => settings({ mailboxes, tls } as never, {}, folder.path)).toThrow(
      '/mail/tls/cert: expected a file, was cert.pem, where there is none\n/mail/tls/key: expected a file',
    )
    for (const file of Object.values(tls)) writeFileSync(join(folder.path, file), 'nonsense')
    expect(() => settings({ mailboxes, tls } as never, {}, folder.path)).toThrow(
      /\/mail\/tls: expected a certificate and its key, both PEM, was files that cannot be used \(ERR_OSSL_PEM_NO_START_LINE\)$/,
    )
    writeFileSync(join(folder.path, tls.cert), certificate.cert)
    writeFileSync(join(folder.path, tls.key), certificate.key)
    const read = settings({ mailboxes, tls } as never, {}, folder.path).mail?.tls
    expect({ cert: String(read?.cert), key: String(read?.key) }).toEqual(certificate)
  })
})
