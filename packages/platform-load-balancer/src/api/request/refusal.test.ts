import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { methods } from '@signalbox/load-balancer/contract'
import { headerOf, talk } from '@signalbox/platform-runtime/testing/raw-client'
import { ok, startBalancer } from '../../testing/running-balancer.ts'

const mb = 1024 * 1024

/** Sends chunks. Returns the responses and the number of invocations. */
async function refused(chunks: string | Buffer | readonly (string | Buffer)[]) {
  let asked = 0
  await using balancer = await startBalancer(() => {
    asked++
    return ok
  })
  const { responses, closed, rest } = await talk(balancer.url, chunks)
  expect(rest).toBe('')
  return { asked, closed, status: responses[0]?.status, response: responses[0]! }
}

const head = (...lines: string[]) => ['Host: a', ...lines, '', ''].join('\r\n')

describe('requests for an upgrade', () => {
  it('a WebSocket upgrade gets 400', async () => {
    const handshake = [
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: eA==',
    ]
    for (const lines of [
      handshake,
      ['upgrade: h2c, WebSocket', 'connection: keep-alive, upgrade'],
      ['Upgrade: websocket/13'],
    ]) {
      const found = await refused(`GET /chat HTTP/1.1\r\n${head(...lines)}`)
      expect(found).toMatchObject({ status: 400, asked: 0, closed: true })
      expect(found.response.body.toString()).toBe('WebSockets are not supported\n')
    }
  })

  it('an upgrade to a protocol other than WebSocket is ignored', async () => {
    expect(await refused(`GET / HTTP/1.1\r\n${head('Upgrade: h2c', 'Connection: Upgrade')}`)).toMatchObject({
      status: 200,
      asked: 1,
    })
  })

  it('the connection closes after a request with an ignored upgrade, because Node drops later requests', async () => {
    const upgrade = `GET / HTTP/1.1\r\n${head('Upgrade: h2c', 'Connection: Upgrade')}`
    const found = await refused([upgrade, `POST / HTTP/1.1\r\n${head('Content-Length: 2')}ab`])
    expect(found).toMatchObject({ status: 200, asked: 1, closed: true })
    expect(headerOf(found.response, 'connection')).toBe('close')
  })
})

describe('the request body limit', () => {
  it('a request body above 1 MB gets 413', async () => {
    const post = (size: number) => [
      `POST / HTTP/1.1\r\n${head(`Content-Length: ${size}`)}`,
      Buffer.alloc(size, 'a'),
    ]
    expect(await refused(post(mb))).toMatchObject({ status: 200, asked: 1 })
    expect(await refused(post(mb + 1))).toMatchObject({ status: 413, asked: 0, closed: true })
  })

  it('a request body above 1 MB is refused as soon as a Content-Length header announces it', async () => {
    for (const lines of [[], ['Expect: 100-continue']]) {
      expect(
        await refused(`POST / HTTP/1.1\r\n${head('Content-Length: 99999999999', ...lines)}`),
      ).toMatchObject({
        status: 413,
        asked: 0,
      })
    }
  })

  it('a request body is refused as soon as it exceeds 1 MB, even if it never ends', async () => {
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 'a'), Buffer.from('\r\n')])
    const start = `POST / HTTP/1.1\r\n${head('Transfer-Encoding: chunked')}`
    expect(await refused([start, ...Array(17).fill(chunk)])).toMatchObject({ status: 413, asked: 0 })
    expect(await refused([start, ...Array(16).fill(chunk), '0\r\n\r\n'])).toMatchObject({
      status: 200,
      asked: 1,
    })
  })
})

describe('a request', () => {
  it.each(['TRACE', 'PROPFIND', 'CONNECT'])('gets 405 for the method %s', async method => {
    const target = method === 'CONNECT' ? 'a:80' : '/'
    const { response, ...found } = await refused(`${method} ${target} HTTP/1.1\r\n${head()}`)
    expect(found).toEqual({ status: 405, asked: 0, closed: true })
    expect(headerOf(response, 'allow')).toBe(methods.join(', '))
  })

  it.each([
    'FOO /x HTTP/1.1',
    'get / HTTP/1.1',
    'GETX / HTTP/1.0',
    'DESCRIBE /x HTTP/1.1',
    'M-X /x HTTP/1.1',
  ])('gets 405 and an Allow header for a method that Node does not know (%s)', async line => {
    const { response, ...found } = await refused(`${line}\r\n${head()}`)
    expect(found).toEqual({ status: 405, asked: 0, closed: true })
    expect(headerOf(response, 'allow')).toBe(methods.join(', '))
  })

  it('gets 405 for a method that Node does not know, after the answers to earlier requests', async () => {
    await using balancer = await startBalancer(() => ok)
    for (const before of [
      `GET / HTTP/1.1\r\n${head()}`,
      `POST / HTTP/1.1\r\n${head('Content-Length: 3')}a\nb`,
    ]) {
      const { responses } = await talk(balancer.url, `${before}FOO /x HTTP/1.1\r\n${head()}`, {
        responses: 2,
      })
      expect(responses.map(({ status }) => status)).toEqual([200, 405])
    }
  })

  it.each<[string, string | Buffer]>([
    ['bytes that are not HTTP instead of a request line', 'hello\r\n\r\n'],
    ['an unknown method and no version', 'BREW /\r\n\r\n'],
    ['an unknown method and an unsupported version', `BREW / HTTP/2.0\r\n${head()}`],
    ['a control character in its method', `BR\0EW / HTTP/1.1\r\n${head()}`],
    ['a TLS handshake', Buffer.from('16030100050100000100', 'hex')],
    ['no version', 'GET /\r\n\r\n'],
    ['an unsupported version', `GET / HTTP/3.7\r\n${head()}`],
    ['an invalid request target', `GET nowhere HTTP/1.1\r\n${head()}`],
    ['an asterisk as the target of GET', `GET * HTTP/1.1\r\n${head()}`],
    ['a missing Host header', 'GET / HTTP/1.1\r\n\r\n'],
    ['an invalid Host header', 'GET / HTTP/1.1\r\nHost: a/b@c\r\n\r\n'],
    ['a fragment in its target', `GET /a#b HTTP/1.1\r\n${head()}`],
    ['two Host headers', `GET / HTTP/1.1\r\n${head('Host: b')}`],
    ['a header without a colon', `GET / HTTP/1.1\r\n${head('Oops')}`],
    ['a space before the colon of a header', `GET / HTTP/1.1\r\n${head('X-A : b')}`],
    ['a folded header', `GET / HTTP/1.1\r\n${head('X-A: b', ' c')}`],
    ['a control character in a header', `GET / HTTP/1.1\r\n${head('X-A: b\0c')}`],
    ['a bare line feed in a header', `GET / HTTP/1.1\r\n${head('X-A: b\rc')}`],
    ['two Content-Length headers', `POST / HTTP/1.1\r\n${head('Content-Length: 1', 'Content-Length: 2')}`],
    ['a negative Content-Length', `POST / HTTP/1.1\r\n${head('Content-Length: -1')}`],
    [
      'both Content-Length and chunks',
      `POST / HTTP/1.1\r\n${head('Content-Length: 1', 'Transfer-Encoding: chunked')}`,
    ],
    ['invalid chunks', `POST / HTTP/1.1\r\n${head('Transfer-Encoding: chunked')}zz\r\n`],
    ['a transfer coding after chunked', `POST / HTTP/1.1\r\n${head('Transfer-Encoding: chunked, gzip')}`],
  ])('gets 400 when it has %s', async (_case, text) => {
    expect(await refused(text)).toMatchObject({ status: 400, asked: 0, closed: true })
  })

  it('gets 501 for an unsupported transfer coding, and 400 for any transfer coding in HTTP/1.0', async () => {
    const body = '2\r\nab\r\n0\r\n\r\n'
    const post = (version: string, coding: string) =>
      `POST / HTTP/${version}\r\n${head(`Transfer-Encoding: ${coding}`, 'Connection: keep-alive')}${body}`
    expect(await refused(post('1.1', 'gzip, chunked'))).toMatchObject({ status: 501, asked: 0, closed: true })
    expect(await refused(post('1.0', 'chunked'))).toMatchObject({ status: 400, asked: 0, closed: true })
    expect(await refused(post('1.1', 'Chunked'))).toMatchObject({ status: 200, asked: 1 })
  })

  it('gets 501 when an unsupported Transfer-Encoding comes before "chunked"', async () => {
    const body = '2\r\nab\r\n0\r\n\r\n'
    for (const codings of [
      ['x', 'chunked'],
      ['gzip', 'chunked'],
    ]) {
      const lines = codings.map(coding => `Transfer-Encoding: ${coding}`)
      expect(await refused(`POST / HTTP/1.1\r\n${head(...lines)}${body}`)).toMatchObject({
        status: 501,
        asked: 0,
        closed: true,
      })
    }
  })

  it.each(['GET / HTTP/0.9', 'GET / ICE/1.0', 'FOO / RTSP/1.0'])(
    'gets 400 for a protocol other than HTTP (%s)',
    async line => {
      const text = `${line}\r\n${head('CSeq: 1', 'Connection: keep-alive')}`
      expect(await refused(text)).toMatchObject({ status: 400, asked: 0, closed: true })
    },
  )

  it.each([100, 1000])('gets 431 when its request line has %d KB, more than any head', async size => {
    const line = `GET /${'a'.repeat(size * 1024)} HTTP/1.1\r\n`
    expect(await refused(line + head())).toMatchObject({ status: 431, asked: 0, closed: true })
    // The line may also arrive in pieces.
    expect(await refused([line.slice(0, 3), line.slice(3, 9000), line.slice(9000)])).toMatchObject({
      status: 431,
    })
  })

  it('gets 414 when its request line is too long, and 431 when its header lines are too long', async () => {
    const long = 'a'.repeat(17 * 1024)
    expect(await refused(`GET /${long} HTTP/1.1\r\n${head()}`)).toMatchObject({ status: 414, asked: 0 })
    expect(await refused(`GET / HTTP/1.1\r\n${head(`X-A: ${long}`)}`)).toMatchObject({
      status: 431,
      asked: 0,
    })
    const many = Array.from({ length: 6 }, (_, i) => `X-${i}: ${'a'.repeat(12 * 1024)}`)
    expect(await refused(`GET / HTTP/1.1\r\n${head(...many)}`)).toMatchObject({
      status: 431,
      asked: 0,
      closed: true,
    })
  })

  it('can have any number of headers within the size limit, and the function gets them all', async () => {
    const names: string[] = []
    await using balancer = await startBalancer(event => {
      names.push(...Object.keys((event as { headers: object }).headers))
      return ok
    })
    const lines = Array.from({ length: 3000 }, (_, i) => `x${i}: ${i}`)
    await talk(balancer.url, `GET / HTTP/1.1\r\n${head(...lines)}`)
    expect(names.filter(name => name.startsWith('x') && !name.startsWith('x-'))).toHaveLength(3000)
  })

  it('is refused only after earlier requests on its connection are answered', async () => {
    await using balancer = await startBalancer(async () => {
      await new Promise(resolve => setTimeout(resolve, 30))
      return ok
    })
    const { responses, closed } = await talk(balancer.url, `GET / HTTP/1.1\r\n${head()}hello\r\n\r\n`, {
      responses: 2,
    })
    expect(responses.map(({ status }) => status)).toEqual([200, 400])
    expect(closed).toBe(true)
  })

  it.each([
    ['an unsupported method', `TRACE / HTTP/1.1\r\n${head()}`],
    ['two Host headers', `GET / HTTP/1.1\r\n${head('Host: b')}`],
    ['an unknown expectation', `POST / HTTP/1.1\r\n${head('Expect: more')}`],
    [
      'a body above 1 MB',
      `POST / HTTP/1.1\r\n${head('Transfer-Encoding: chunked')}200000\r\n${'a'.repeat(2 * mb)}\r\n0\r\n\r\n`,
    ],
  ])('makes the load balancer discard all later requests when it is refused for %s', async (_case, text) => {
    const order = `POST / HTTP/1.1\r\n${head('Content-Length: 2')}ab`
    expect(await refused(text + order)).toMatchObject({ asked: 0, closed: true })
  })

  it('is refused only after slow earlier requests are answered', async () => {
    await using balancer = await startBalancer(async () => {
      await new Promise(resolve => setTimeout(resolve, 1200))
      return ok
    })
    const both = `GET / HTTP/1.1\r\n${head()}TRACE / HTTP/1.1\r\n${head()}`
    const { responses, closed } = await talk(balancer.url, both, { responses: 2 })
    expect(responses.map(({ status }) => status)).toEqual([200, 405])
    expect(closed).toBe(true)
  })
})

describe('a refused client', () => {
  it('can read the refusal even while it is still sending', async () => {
    await using balancer = await startBalancer(() => ok)
    const { hostname, port } = new URL(balancer.url)
    const socket = connect(Number(port), hostname).pause()
    let failed: Error | undefined
    socket.on('error', error => {
      failed = error
    })
    socket.write(`POST / HTTP/1.1\r\n${head(`Content-Length: ${50 * mb}`)}`)
    for (let i = 0; i < 10; i++) {
      socket.write(Buffer.alloc(64 * 1024))
      await delay(20)
    }
    const [answer] = failed ? [failed] : await once(socket.resume(), 'data')
    socket.destroy()
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /)
  })
})
