import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { postgresEngine } from './postgres-engine.ts'
import { type PostgresServer, postgresServer } from './testing/postgres-server.ts'
import { testServer } from './testing/server-suite.ts'
import { transactionPooler } from './testing/transaction-pooler.ts'

const test = testServer()
const setting = 'the URL of the database (storage.postgres.url or SIGNALBOX_POSTGRES_URL)'

/** Opens an engine. Returns the message of the error, or `opened`. */
async function opening(url: string): Promise<string> {
  try {
    const engine = await postgresEngine(test.options({ url }), { clock: undefined })
    await engine.close()
    return 'opened'
  } catch (error) {
    return (error as Error).message
  }
}

it.each(['SQL_ASCII', 'LATIN1'])('a database with the encoding %s is refused', async encoding => {
  const name = encoding.toLowerCase()
  await test.query(`create database ${name} encoding '${encoding}' template template0 locale 'C'`)
  const url = new URL(test.server.url)
  url.pathname = name
  expect(await opening(url.href)).toBe(
    `The database ${name} at 127.0.0.1:${url.port} has the encoding ${encoding}, which cannot keep every text. Create one with: create database NAME encoding 'UTF8' template template0`,
  )
})

it('a pooler that pools transactions is refused, instead of failing every second statement', async () => {
  const pooler = await transactionPooler(test.server.url)
  try {
    const at = `127.0.0.1:${new URL(pooler.url).port}`
    const refusal = `The database postgres at ${at} is behind a pooler that pools transactions or statements. Platforms need a session for each connection: set pool_mode = session in PgBouncer, or name the server itself in ${setting}.`
    for (let attempt = 0; attempt < 3; attempt++) expect(await opening(pooler.url)).toBe(refusal)
  } finally {
    await pooler.close()
  }
})

describe('errors about TLS to the database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-tls-'))
  const ca = join(folder, 'cert.pem')
  let server: PostgresServer

  beforeAll(async () => {
    const [key, hba] = [join(folder, 'key.pem'), join(folder, 'hba.conf')]
    writeFileSync(ca, certificate.cert)
    writeFileSync(key, certificate.key)
    writeFileSync(hba, 'hostssl all guarded 127.0.0.0/8 trust\nhost all signalbox 127.0.0.0/8 trust\n')
    // The server runs as another user when the tests run as root, and refuses a key that all users may read.
    const isRoot = process.geteuid?.() === 0
    chmodSync(folder, 0o755)
    chmodSync(key, isRoot ? 0o640 : 0o600)
    if (isRoot) chownSync(key, 0, 65534)
    const addresses = 'listen_addresses=127.0.0.1,127.0.0.2'
    const files = [`ssl_cert_file=${ca}`, `ssl_key_file=${key}`, `hba_file=${hba}`]
    server = await postgresServer(['ssl=on', addresses, ...files])
  })
  afterAll(async () => {
    await server.end()
    rmSync(folder, { recursive: true })
  })

  const message = (query: string, base = server.url) => opening(`${base}?${query}`)

  it('a certificate of an unknown authority is named with the setting that makes it trusted', async () => {
    const found = await message('sslmode=verify-full')
    expect(found).toContain(
      `The database at 127.0.0.1:${server.port} is not available: self-signed certificate`,
    )
    expect(found).toContain(
      `Its certificate is not trusted: add sslmode=verify-full&sslrootcert=FILE to ${setting}, where FILE has the certificate of its authority.`,
    )
    expect(await message(`sslmode=verify-full&sslrootcert=${ca}`)).toBe('opened')
    expect(await message('sslmode=no-verify')).toBe('opened')
  })

  it('a certificate for another name is named with the setting that has the name', async () => {
    const url = server.url.replace('127.0.0.1', '127.0.0.2')
    expect(await message(`sslmode=verify-full&sslrootcert=${ca}`, url)).toMatch(
      /The database at 127\.0\.0\.2:\d+ is not available: .*altnames.*\. Its certificate has another name: use that name as the host in the URL/,
    )
  })

  it('a server without TLS, and a server that requires it, are named with sslmode', async () => {
    expect(await message('sslmode=verify-full', test.server.url)).toBe(
      `The database at 127.0.0.1:${test.server.port} is not available: The server does not support SSL connections. Turn TLS on in the server (ssl = on), or remove sslmode from ${setting} if the network is yours.`,
    )
    expect(await message('', server.url.replace('signalbox@', 'guarded@'))).toMatch(
      /no pg_hba\.conf entry .*no encryption\. The server requires TLS: add sslmode=verify-full to the URL/,
    )
  })

  it('a file of certificates that cannot be read is named with the setting', async () => {
    expect(await message('sslmode=verify-full&sslrootcert=/nowhere/ca.pem')).toBe(
      `A file that ${setting} names cannot be read: ENOENT: no such file or directory, open '/nowhere/ca.pem'`,
    )
  })
})
