import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from 'node:http2'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { LoadBalancerEvent } from '@signalbox/load-balancer/contract'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import * as fc from 'fast-check'
import type { LoadBalancerConfig } from '../../config/load-balancer-config.ts'
import { data, endStream, frame, frames, framesOf, head, rstStream } from '../../testing/http2-frames.ts'
import { echo, ok, type RunningBalancer, startBalancer } from '../../testing/running-balancer.ts'

type Handler = Parameters<typeof startBalancer>[0]

const folder = temporaryFolder()
const tls = { cert: join(folder.path, 'cert.pem'), key: join(folder.path, 'key.pem') }
writeFileSync(tls.cert, certificate.cert)
writeFileSync(tls.key, certificate.key)
afterAll(() => folder[Symbol.dispose]())

async function start(handler: Handler, more: Partial<LoadBalancerConfig> = {}) {
  const balancer = await startBalancer(handler, { tls, ...more })
  return Object.assign(balancer, { port: Number(new URL(balancer.url).port) })
}

/** Opens an HTTP/2 connection, which is closed at the end of the test. */
function session(port: number) {
  const made = connect(`https://localhost:${port}`, { ca: certificate.cert, host: '127.0.0.1' })
  made.on('error', () => {})
  return Object.assign(made, { [Symbol.dispose]: () => made.destroy() })
}

/** Sends a request over HTTP/2. Rejects when its stream is reset. */
async function send(client: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string | Buffer) {
  const stream = client.request(headers, { endStream: body === undefined })
  if (body !== undefined) stream.end(body)
  const [answer] = (await once(stream, 'response')) as [Record<string, string>]
  return { status: Number(answer[':status']), headers: answer, body: await text(stream) }
}

const withoutTrace = (event: LoadBalancerEvent) => {
  const { 'x-cloud-trace-id': _, ...headers } = event.headers ?? {}
  return { ...event, headers }
}

describe('a request over HTTP/2', () => {
  let balancer: RunningBalancer & { readonly port: number }
  let client: ReturnType<typeof session>
  beforeEach(() => {
    client = session(balancer.port)
  })
  afterEach(() => client.destroy())
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  beforeAll(async () => {
    balancer = await start(echo)
  })
  afterAll(async () => {
    agent.destroy()
    await balancer[Symbol.asyncDispose]()
  })

  /** Sends a request over HTTP/1.1. */
  async function sendFirst(method: string, path: string, lines: readonly string[], body?: Buffer) {
    const sent = request({
      ...{ agent, method, path, port: balancer.port, host: '127.0.0.1', servername: 'localhost' },
      ...{ ca: certificate.cert, headers: ['host', `localhost:${balancer.port}`, ...lines] as never },
    })
    sent.end(body)
    const [response] = await once(sent, 'response')
    return { status: response.statusCode as number, body: await text(response) }
  }

  it('becomes the same event as the same request over HTTP/1.1', async () => {
    const name = fc.stringMatching(/^x-[a-z]{1,5}$/)
    const value = fc.stringMatching(/^([!-~]([ -~]{0,20}[!-~])?)?$/)
    const headers = fc.array(fc.tuple(name, value), { maxLength: 6 })
    const cookies = fc.array(fc.stringMatching(/^[a-z]{1,4}=[a-z0-9]{0,6}$/), { maxLength: 3 })
    const path = fc.stringMatching(/^\/[\w/%.~-]{0,20}(\?[\w&=%+.]{0,20})?$/)
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')
    const body = fc.option(fc.uint8Array({ maxLength: 300 }), { nil: undefined })
    await fc.assert(
      fc.asyncProperty(method, path, headers, cookies, body, async (how, target, own, crumbs, bytes) => {
        const content =
          how === 'GET' || how === 'OPTIONS' || bytes === undefined ? undefined : Buffer.from(bytes)
        const length = content === undefined ? [] : ['content-length', String(content.length)]
        const crumb = crumbs.length === 0 ? [] : ['cookie', crumbs.join('; ')]
        const first = await sendFirst(how, target, [...own.flat(), ...crumb, ...length], content)
        const fields: Record<string, string[]> = {}
        for (const [field, text] of own) fields[field] = [...(fields[field] ?? []), text]
        const second = await send(
          client,
          {
            ...{ ':method': how, ':path': target, ...fields },
            ...(crumbs.length > 0 && { cookie: crumbs }),
            ...(content && { 'content-length': String(content.length) }),
          },
          content,
        )
        expect(second.status).toBe(first.status)
        expect(withoutTrace(JSON.parse(second.body))).toEqual(withoutTrace(JSON.parse(first.body)))
      }),
      { numRuns: 100 },
    )
  })

  it('can have a body without a content-length, and trailers, which are dropped', async () => {
    const stream = client.request(
      { ':method': 'POST', ':path': '/a', 'content-type': 'text/plain' },
      { waitForTrailers: true },
    )
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-trailer': '1' }))
    stream.write('one ')
    stream.end('two')
    await once(stream, 'response')
    const event = JSON.parse(await text(stream))
    expect(event).toMatchObject({ body: 'one two', headers: { 'x-forwarded-proto': 'https' } })
    expect(Object.keys(event.headers)).not.toEqual(expect.arrayContaining(['x-trailer']))
    expect(event.headers).not.toHaveProperty('transfer-encoding')
  })

  it.each([
    ['the method CONNECT', { ':method': 'CONNECT', ':authority': 'a' }, 405],
    [
      'a Host header that differs from :authority',
      { ':path': '/', ':authority': 'a', host: 'other.example' },
      400,
    ],
    ['another port in its Host header', { ':path': '/', ':authority': 'a:1', host: 'a' }, 400],
    ['a fragment in its path', { ':path': '/#a' }, 400],
    ['a path that is not ASCII, as over HTTP/1.1', { ':path': '/caf\u00e9' }, 400],
    ['an unknown Expect header', { ':path': '/', expect: 'magic' }, 417],
    ['a header that is too long', { ':path': '/', 'x-long': 'x'.repeat(17_000) }, 431],
    ['a content-length above the limit', { ':method': 'POST', ':path': '/', 'content-length': 2 ** 24 }, 413],
  ])('is refused when it has %s', async (_, headers, status) => {
    const stream = client.request(headers as OutgoingHttpHeaders, {
      endStream: !('content-length' in headers),
    })
    const [answer] = (await once(stream, 'response')) as [Record<string, unknown>]
    expect(answer[':status']).toBe(status)
    expect(answer).not.toHaveProperty('connection')
    stream.close()
  })

  it.each([
    ['LOCALHOST', 'localhost'],
    ['localhost', 'LocalHost:443'],
    ['localhost:', 'localhost'],
  ])('has the host of :authority (%s) although its Host header writes it as %s', async (authority, host) => {
    const answer = await send(client, { ':path': '/', ':authority': authority, host })
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body).headers.host).toBe(authority)
  })

  it('is refused before its body is complete when the body exceeds 1 MB', async () => {
    const stream = client.request({ ':method': 'POST', ':path': '/' })
    stream.on('error', () => {})
    stream.write(Buffer.alloc(1_200_000))
    const [answer] = (await once(stream, 'response')) as [Record<string, unknown>]
    expect(answer[':status']).toBe(413)
    stream.resume()
    await once(stream, 'close')
    expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR)
  })

  it('gets 100 Continue when the client waits for it before sending the body', async () => {
    const stream = client.request({
      ':method': 'POST',
      ':path': '/',
      'content-type': 'text/plain',
      expect: '100-continue',
    })
    await once(stream, 'continue')
    stream.end('waited')
    await once(stream, 'response')
    expect(JSON.parse(await text(stream)).body).toBe('waited')
  })
})

it('a client that does not support HTTP/2 is served over HTTP/1.1 at the same address', async () => {
  await using balancer = await start(() => ok)
  const protocol = async (...ALPNProtocols: string[]) => {
    const socket = connectTls({
      port: balancer.port,
      ca: certificate.cert,
      servername: 'localhost',
      ALPNProtocols,
    })
    await once(socket, 'secureConnect')
    socket.destroy()
    return socket.alpnProtocol
  }
  expect(await protocol('h2', 'http/1.1')).toBe('h2')
  expect(await protocol('http/1.1')).toBe('http/1.1')
})

it('a response over HTTP/2 has all its cookies, no connection headers, and no body after HEAD', async () => {
  await using balancer = await start(
    () => ({
      ...ok,
      multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'], Connection: ['close'], 'X-Own': ['1'] },
      body: 'text',
    }),
    { multiValueHeaders: true },
  )
  using client = session(balancer.port)
  const { headers, body } = await send(client, { ':path': '/' })
  expect(headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], 'x-own': '1', 'content-length': '4' })
  expect(headers).not.toHaveProperty('connection')
  expect(body).toBe('text')
  expect(await send(client, { ':method': 'HEAD', ':path': '/' })).toMatchObject({ status: 200, body: '' })
})

it.each(['content-encoding', 'content-language', 'age', 'x-content-type-options', 'x-own'])(
  'a response over HTTP/2 has every value of %s',
  async name => {
    const multiValueHeaders = { [name]: ['a', 'b'], [name.toUpperCase()]: ['c'], 'http2-settings': ['d'] }
    await using balancer = await start(() => ({ ...ok, multiValueHeaders }), { multiValueHeaders: true })
    using client = session(balancer.port)
    const { status, headers } = await send(client, { ':path': '/' })
    expect([status, headers[name], headers['http2-settings']]).toEqual([200, 'a, b, c', undefined])
  },
)

it('a response over HTTP/2 has the headers whose values begin or end with blanks', async () => {
  const headers = {
    'x-a': ' a\t',
    'x-b': '\xa0b\xa0',
    'x-c': ' \t ',
    'X-D': 'd',
    'x-d': '',
    'set-cookie': 'a=1; ',
  }
  await using balancer = await start(() => ({ ...ok, headers }))
  using client = session(balancer.port)
  const { headers: sent } = await send(client, { ':path': '/' })
  expect(sent).toMatchObject({
    'x-a': 'a',
    'x-b': '\xa0b\xa0',
    'x-c': '',
    'x-d': 'd,',
    'set-cookie': ['a=1;'],
  })
})

describe('an HTTP/2 client', () => {
  it('can have a hundred open requests at a time, beyond which requests are reset', async () => {
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    await using balancer = await start(() => held.then(() => ok))
    const socket = await frames(balancer.port)
    const received: Buffer[] = []
    socket.on('data', (chunk: Buffer) => received.push(chunk))
    for (let id = 1; id < 300; id += 2) socket.write(head(id, 'GET', endStream))
    while (framesOf(received).filter(type => type === rstStream).length < 50) await once(socket, 'data')
    expect(framesOf(received).filter(type => type === rstStream)).toHaveLength(50)
    release()
    socket.destroy()
  })

  it('loses its connection when it resets many requests (CVE-2023-44487)', async () => {
    await using balancer = await start(() => ok)
    const socket = await frames(balancer.port)
    const ended = once(socket, 'close')
    for (let id = 1; id < 2000; id += 2)
      socket.write(
        Buffer.concat([head(id, 'GET', endStream), frame(rstStream, 0, id, Buffer.from([0, 0, 0, 8]))]),
      )
    await ended
    using honest = session(balancer.port)
    expect((await send(honest, { ':path': '/' })).status).toBe(200)
  })

  it('does not call the function when it resets a request in the middle of its body', async () => {
    const bodies: string[] = []
    await using balancer = await start((event: LoadBalancerEvent) => {
      bodies.push(String(event.body))
      return ok
    })
    const socket = await frames(balancer.port)
    for (const [at, code] of [0, 8].entries()) {
      const id = 2 * at + 1
      socket.write(head(id, 'POST', 0))
      socket.write(frame(data, 0, id, Buffer.from('half')))
      await new Promise(resolve => setImmediate(resolve))
      socket.write(frame(rstStream, 0, id, Buffer.from([0, 0, 0, code])))
    }
    socket.write(Buffer.concat([head(5, 'POST', 0), frame(data, endStream, 5, Buffer.from('whole'))]))
    while (bodies.length === 0) await once(socket, 'data')
    expect(bodies).toEqual([Buffer.from('whole').toString('base64')])
    socket.destroy()
  })

  it('is refused when its headers are too large', async () => {
    await using balancer = await start(() => ok)
    using client = session(balancer.port)
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`x-${at}`, '1']))
    expect((await send(client, { ':path': '/', ...many })).status).toBe(431)
    expect((await send(client, { ':path': '/' })).status).toBe(200)
  })

  it('gets 429 when its address exceeds the limits, which count HTTP/1.1 and HTTP/2 requests together', async () => {
    await using balancer = await start(() => ok, { limits: { requests: 1, connections: 1, window: 3600 } })
    using client = session(balancer.port)
    expect((await send(client, { ':path': '/' })).status).toBe(200)
    const { status, headers } = await send(client, { ':path': '/' })
    expect([status, Number(headers['retry-after']) > 3500]).toEqual([429, true])
    using second = session(balancer.port)
    await expect(send(second, { ':path': '/' })).rejects.toThrow()
  })

  it('gets the response to a running request before the platform stops', async () => {
    let began = () => {}
    let release = () => {}
    const begun = new Promise<void>(resolve => {
      began = resolve
    })
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    await using balancer = await start(() => {
      began()
      return held.then(() => ok)
    })
    using client = session(balancer.port)
    const answer = send(client, { ':path': '/' })
    await begun
    const stopped = balancer.platform.stop()
    release()
    expect((await answer).status).toBe(200)
    await stopped
  })
})
