import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect as connectPlain, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Config, createPlatform } from '@signalbox/platform'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { talk } from '@signalbox/platform-runtime/testing/raw-client'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'

/** The names of the HTTP listeners, as the platform announces them. */
const hooks = 'hooks for mail servers'
const httpListeners = ['load balancer web', 'queues', 'user pools', 'invoke', 'control', hooks] as const
const listeners = [...httpListeners, 'mail', 'mail submission'] as const
type Listener = (typeof listeners)[number]

let folder: ReturnType<typeof temporaryFolder>
let calls = 0
const platforms: ReturnType<typeof createPlatform>[] = []
const plain = new Map<string, string>()
const secure = new Map<string, string>()

beforeAll(async () => {
  folder = temporaryFolder()
  for (const [name, text] of Object.entries({ cert: certificate.cert, key: certificate.key }))
    writeFileSync(join(folder.path, `${name}.pem`), text)
  const start = async (urls: Map<string, string>, own: object) => {
    const listener = { port: 0, ...own }
    const platform = createPlatform(
      {
        functions: { work: { handler: () => calls++ } },
        loadBalancers: { web: { ...listener, function: 'work', names: ['shop.example'] } },
        queues: { orders: {} },
        queueListener: listener,
        userPools: {},
        userPoolListener: listener,
        invoke: listener,
        mail: {
          ...{ port: 0, relay: 'keep', tls: { cert: 'cert.pem', key: 'key.pem' }, submission: { port: 0 } },
          hooks: { ...listener, secret: 'secret-of-the-mail-servers' },
        },
        control: listener,
        access: { identities: {} },
        dataDir: ':memory:',
      } as Config,
      { root: folder.path },
    )
    platforms.push(platform)
    for (const { source, url } of await platform.start()) urls.set(source, url)
  }
  await start(plain, {})
  await start(secure, { tls: { cert: 'cert.pem', key: 'key.pem' } })
})
afterAll(async () => {
  await Promise.all(platforms.map(platform => platform.stop()))
  folder[Symbol.dispose]()
})

const head = 'POST / HTTP/1.1\r\nHost: localhost\r\n'
/** A smuggled second request, which the control address would answer with 200. */
const second = 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n'
const smuggling: readonly (readonly [string, string])[] = [
  [
    'both Content-Length and Transfer-Encoding',
    `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`,
  ],
  ['two content lengths', `${head}Content-Length: 0\r\nContent-Length: ${second.length}\r\n\r\n${second}`],
  ['a list in Content-Length', `${head}Content-Length: 0, ${second.length}\r\n\r\n${second}`],
  ['a signed number in Content-Length', `${head}Content-Length: +0\r\n\r\n${second}`],
  ['a coding after "chunked"', `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${second}`],
  ['a space before the colon of a header', `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${second}`],
  ['a negative chunk size', `${head}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n${second}`],
  ['a bare carriage return', `${head}A: b\rTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n${second}`],
]

describe.each(httpListeners)('the listener "%s"', name => {
  it.each(smuggling)('closes the connection when it receives %s (request smuggling)', async (_case, text) => {
    const { responses, closed } = await talk(plain.get(name)!, text, { responses: 9 })
    expect(closed).toBe(true)
    for (const { status } of responses) expect(status).toBeGreaterThanOrEqual(400)
    expect(calls).toBe(0)
  })

  it.each([
    ['two different Host headers', `${head}Host: attacker.example\r\n`],
    ['the same Host header twice', `${head}Host: localhost\r\n`],
    ['no Host header', 'POST / HTTP/1.1\r\n'],
  ])('refuses a request with %s', async (_case, text) => {
    const { responses } = await talk(
      plain.get(name)!,
      `${text}Connection: close\r\nContent-Length: 2\r\n\r\n{}`,
    )
    expect([400, 403, 421]).toContain(responses[0]!.status)
    if (name !== 'load balancer web' && text.includes('Host: '))
      expect(responses[0]!.body.toString()).toContain('Host header')
    expect(calls).toBe(0)
  })

  it('refuses a request for a foreign host name (DNS rebinding)', async () => {
    const text = `POST / HTTP/1.1\r\nHost: attacker.example\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`
    const { responses } = await talk(plain.get(name)!, text)
    // A web page does not know the secret of mail servers.
    expect(name === hooks ? [401] : [400, 403, 421]).toContain(responses[0]!.status)
    expect(calls).toBe(0)
  })
})

it.each(['queues', 'invoke', 'control'])(
  'the listener "%s" refuses requests from web pages (CSRF)',
  async name => {
    const path = name === 'invoke' ? '/2015-03-31/functions/work/invocations' : '/'
    for (const origin of ['http://attacker.example', 'null', plain.get(name)!.replace(/\/$/, '')]) {
      const text = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nOrigin: ${origin}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`
      const { responses } = await talk(plain.get(name)!, text)
      expect(responses[0]!.status).toBe(403)
    }
    expect(calls).toBe(0)
  },
)

/** Connects to a listener that uses TLS, and stops right before the TLS handshake. */
async function beforeHandshake(name: Listener): Promise<Socket> {
  const socket = connectPlain(Number(new URL(secure.get(name)!).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  if (!name.startsWith('mail')) return socket
  for (const command of ['EHLO client', 'STARTTLS']) {
    await once(socket, 'data')
    socket.write(`${command}\r\n`)
  }
  await once(socket, 'data')
  return socket
}

async function handshake(name: Listener, options: object = {}): Promise<string | null> {
  const socket = connect({ socket: await beforeHandshake(name), rejectUnauthorized: false, ...options })
  await once(socket, 'secureConnect')
  const protocol = socket.getProtocol()
  socket.destroy()
  return protocol
}

const record = (length: number, body: Buffer) => {
  const start = Buffer.from([22, 3, 1, 0, 0])
  start.writeUInt16BE(length, 3)
  return Buffer.concat([start, body])
}
/** The first bytes of a ClientHello that announces a length of 16 megabytes. */
const hello = Buffer.concat([Buffer.from([1, 255, 255, 255, 3, 3]), Buffer.alloc(16_378)])

describe.each(listeners)('the listener "%s" with TLS', name => {
  it('refuses TLS 1.1, and accepts TLS 1.2 and 1.3', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }
    await expect(handshake(name, old)).rejects.toThrow(/alert|protocol|ECONNRESET|disconnected/i)
    expect(await handshake(name, { maxVersion: 'TLSv1.2' })).toBe('TLSv1.2')
    expect(await handshake(name)).toBe('TLSv1.3')
  })

  it.each([
    ['a TLS record above the size limit', [record(65_535, Buffer.alloc(65_535))]],
    ['a ClientHello above the size limit', Array.from({ length: 64 }, () => record(hello.length, hello))],
    ['HTTP instead of a TLS handshake', [Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')]],
  ])('closes a connection that sends %s, and accepts the next one', async (_case, pieces) => {
    const socket = await beforeHandshake(name)
    let received = 0
    socket.on('data', data => {
      received += data.length
    })
    const closed = new Promise(resolve => socket.once('close', resolve))
    for (const piece of pieces) socket.write(piece)
    await closed
    expect(received).toBeLessThan(200)
    expect(await handshake(name)).toBe('TLSv1.3')
  })
})
