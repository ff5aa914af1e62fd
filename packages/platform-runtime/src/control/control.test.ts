import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { talk } from '../testing/raw-client.ts'
import { type Control, control } from './control.ts'

const raw = Buffer.from('From: rita@partner.example\r\nSubject: \xff\0\r\n\r\nHello\r\n', 'latin1')

async function fetchMail(id: string): Promise<Buffer | undefined> {
  // Waits until the client has half-closed the connection.
  if (id === 'slow') await new Promise(resolve => setTimeout(resolve, 50))
  if (id === 'closed') throw new Error('database is not open at /srv/secret')
  return id === 'm-1' || id === 'slow' ? raw : undefined
}

const routes = [{ collection: 'mail', mediaType: 'message/rfc822', fetch: fetchMail }]

describe('the control address', () => {
  let own: Control
  beforeAll(async () => {
    own = control({ port: 0, host: '127.0.0.1' }, routes)
    await own.start()
  })
  afterAll(() => own.stop(0))

  const ask = async (head: string) => {
    const { responses } = await talk(own.url(), `${head}\r\nConnection: close\r\n\r\n`)
    const { status, headers, body } = responses[0]!
    return { status, headers: new Map(headers.map(([name, value]) => [name.toLowerCase(), value])), body }
  }
  const get = (path: string, more = '', host = 'localhost') =>
    ask(`GET ${path} HTTP/1.1\r\nHost: ${host}${more && `\r\n${more}`}`)

  it('answers GET /mail/{id} with the unchanged mail', async () => {
    const { status, headers, body } = await get('/mail/m-1')
    expect(status).toBe(200)
    expect(body.equals(raw)).toBe(true)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'message/rfc822',
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
  })

  it('answers a client that half-closes its connection after the request', async () => {
    const text = 'GET /mail/slow HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const { responses, closed } = await talk(own.url(), text, { halfClose: true })
    expect([responses[0]?.status, closed]).toEqual([200, true])
  })

  it('answers HEAD /mail/{id} with the length of the mail', async () => {
    const response = await fetch(`${own.url()}/mail/m-1`, { method: 'HEAD' })
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(raw.length)])
  })

  it.each<[string, string, number, string]>([
    ['an unknown mail', '/mail/m-2', 404, 'There is no mail with this id, or it was deleted.\n'],
    ['an invalid id', '/mail/%ff', 404, 'There is no mail with this id.\n'],
    ['an unknown path', '/', 404, 'The only paths are GET /mail/{id}, GET /livez, GET /readyz.\n'],
    [
      'a path below a mail',
      '/mail/m-1/raw',
      404,
      'The only paths are GET /mail/{id}, GET /livez, GET /readyz.\n',
    ],
    [
      'a mail that cannot be read at the moment',
      '/mail/closed',
      503,
      'The mail cannot be read at the moment.\n',
    ],
  ])('answers a request for %s (%s) with %i', async (_, path, status, text) => {
    const answer = await get(path)
    expect([answer.status, answer.body.toString()]).toEqual([status, text])
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('answers %s with 405', async method => {
    const { status, headers } = await ask(
      `${method} /mail/m-1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0`,
    )
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it.each(['localhost', 'LOCALHOST:9330', '127.0.0.1:1', '127.9.9.9', '[::1]:9330'])(
    'accepts a request for its own host "%s"',
    async host => {
      expect((await get('/mail/m-1', '', host)).status).toBe(200)
    },
  )

  it.each([
    'attacker.example',
    'localhost.attacker.example',
    '127.0.0.1.attacker.example',
    'x@localhost',
    '10.0.0.7',
    'localhost, attacker.example',
    '',
  ])('refuses a request for the foreign host %j with 400 (DNS rebinding)', async host => {
    const { status, body } = await get('/mail/m-1', '', host)
    expect([status, body.toString()]).toEqual([400, 'The Host header must name this machine.\n'])
  })

  it.each([
    'Origin: http://localhost',
    'Origin: null',
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Site: same-origin',
  ])('refuses a request from a web page (%s)', async header => {
    expect((await get('/mail/m-1', header)).status).toBe(403)
  })
})

it('the control address tells any client that the platform is alive, and why it is not ready', async () => {
  let why: string | undefined = 'The platform is starting.'
  const own = control({ port: 0, host: '127.0.0.1', unready: () => why }, routes)
  await using _stopped = { [Symbol.asyncDispose]: () => own.stop(0) }
  await own.start()
  const probe = async (path: string) => {
    const text = `GET ${path} HTTP/1.1\r\nHost: pod.example\r\nConnection: close\r\n\r\n`
    const { status, body } = (await talk(own.url(), text)).responses[0]!
    return [status, String(body)]
  }
  expect(await probe('/livez')).toEqual([200, 'ok\n'])
  expect(await probe('/readyz?verbose')).toEqual([503, 'The platform is starting.\n'])
  why = undefined
  expect(await probe('/readyz')).toEqual([200, 'ok\n'])
  expect((await fetch(`${own.url()}/readyz`, { method: 'POST' })).status).toBe(404)
})

it('the control address says that the platform is starting to clients of a console that is not open yet', async () => {
  let opened: { readonly serve: RequestListener } | undefined
  const own = control({ port: 0, host: '127.0.0.1', console: () => opened }, routes)
  await using _stopped = { [Symbol.asyncDispose]: () => own.stop(0) }
  await own.start()
  const ask = async () => {
    const answer = await fetch(`${own.url()}/console/`)
    return [answer.status, await answer.text()]
  }
  expect(await ask()).toEqual([503, 'The platform is starting.\n'])
  opened = { serve: (_request, response) => void response.end('the console') }
  expect(await ask()).toEqual([200, 'the console'])
})

it('unread responses from the control address use at most 256 MB of memory', async () => {
  const [clients, size] = [40, 10 * 1024 * 1024]
  const large = Buffer.alloc(size)
  const fetch = async () => large
  const own = control({ port: 0, host: '127.0.0.1' }, [
    { collection: 'mail', mediaType: 'message/rfc822', fetch },
  ])
  await using _stopped = { [Symbol.asyncDispose]: () => own.stop(0) }
  await own.start()
  const sockets = await Promise.all(
    Array.from({ length: clients }, async () => {
      const socket = connect(Number(new URL(own.url()).port), '127.0.0.1')
      socket.on('error', () => {}).write('GET /mail/m-1 HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await once(socket, 'readable')
      return socket
    }),
  )
  const whole = await Promise.all(
    sockets.map(async socket => {
      let length = 0
      try {
        for await (const data of socket) {
          length += (data as Buffer).length
          if (length > size) return true
        }
      } catch {
        // The connection was reset.
      }
      return false
    }),
  )
  const read = whole.filter(Boolean).length
  // The system's buffers hold a part of each response.
  expect([read > 0, read < 256 / 10 + 4]).toEqual([true, true])
})

it('the control address accepts its configured host, and any IP address when it listens on all addresses', async () => {
  const everywhere = control({ port: 0, host: '0.0.0.0' }, routes)
  await using _stopped = { [Symbol.asyncDispose]: () => everywhere.stop(0) }
  const address = await everywhere.start()
  const status = async (host: string) =>
    (await talk(everywhere.url(), `GET /mail/m-1 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`))
      .responses[0]!.status
  expect(address.url).toMatch(/^http:\/\/0\.0\.0\.0:\d+$/)
  expect(everywhere.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect([await status('10.0.0.7:9330'), await status('box.example')]).toEqual([200, 400])
  const second = control({ port: Number(new URL(everywhere.url()).port), host: '0.0.0.0' }, routes)
  await expect(second.start()).rejects.toThrow(
    /^The control address cannot start: port \d+ of 0\.0\.0\.0 is in use.*\. Choose another with control\.port; 0 takes one that is free\.$/,
  )
  await second.stop(0)
})
