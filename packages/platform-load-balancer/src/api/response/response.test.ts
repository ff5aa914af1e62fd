import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import type { LoadBalancerEvent } from '@signalbox/load-balancer/contract'
import type { Handler } from '@signalbox/platform-runtime/platform/testing/parts'
import { headerOf, talk } from '@signalbox/platform-runtime/testing/raw-client'
import { createPlatform } from '../../testing/balancer-program.ts'
import { answerWith, projectFolder } from '../../testing/project-folder.ts'
import { ok, startBalancer } from '../../testing/running-balancer.ts'

const get = (path = '/') => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

async function answering(answer: unknown, multiValueHeaders = false) {
  const handler: Handler = () => answer
  await using balancer = await startBalancer(handler, { multiValueHeaders })
  const { responses } = await talk(balancer.url, get())
  return responses[0]!
}

describe('the HTTP response', () => {
  it('has the status code from `statusCode`', async () => {
    expect(await answering({ ...ok, statusCode: 418 })).toMatchObject({ status: 418 })
  })

  it('has the reason phrase from `statusDescription`', async () => {
    const { statusLine } = await answering({ ...ok, statusCode: 201, statusDescription: '201 Made just now' })
    expect(statusLine).toBe('HTTP/1.1 201 Made just now')
  })

  it('has the body, which is decoded when `isBase64Encoded` is true', async () => {
    expect((await answering({ ...ok, body: 'hé' })).body).toEqual(Buffer.from('hé'))
    expect((await answering({ ...ok, isBase64Encoded: true, body: '/wD+' })).body).toEqual(
      Buffer.from([255, 0, 254]),
    )
    const large = 'é'.repeat(100_000)
    expect((await answering({ ...ok, body: large })).body.toString()).toBe(large)
  })

  it('has the headers that the function returns', async () => {
    const { headers } = await answering({ ...ok, headers: { 'X-One': '1', 'x-two': '' } })
    expect(headers).toContainEqual(['X-One', '1'])
    expect(headers).toContainEqual(['x-two', ''])
  })

  it.each([
    ['no body', undefined],
    ['an ASCII body', 'a'],
    ['another body', 'é'],
    ['a long ASCII body', 'a'.repeat(100_000)],
    ['another long body', 'é'.repeat(100_000)],
  ])('has one byte for each character of its status line and headers, with %s', async (_, body) => {
    const answer = { ...ok, statusDescription: 'Größe', headers: { 'x-a': 'ü\xff' }, body }
    const { statusLine, headers, body: sent } = await answering(answer)
    expect(statusLine).toBe('HTTP/1.1 200 Größe')
    expect(headers).toContainEqual(['x-a', 'ü\xff'])
    expect(sent.toString()).toBe(body ?? '')
  })

  it('has one Set-Cookie header for each "set-cookie" value in `multiValueHeaders`', async () => {
    const { headers } = await answering(
      { ...ok, multiValueHeaders: { 'set-cookie': ['a=1', 'b=2'], 'x-a': ['1', '2'] } },
      true,
    )
    expect(headers.filter(([name]) => ['set-cookie', 'x-a'].includes(name))).toEqual([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['x-a', '1'],
      ['x-a', '2'],
    ])
  })

  it('omits connection headers that the function returns', async () => {
    const { headers, body } = await answering({
      ...ok,
      headers: { 'content-length': '1', 'Transfer-Encoding': 'chunked', connection: 'close' },
      body: 'whole',
    })
    expect(body.toString()).toBe('whole')
    expect(headers.map(([name]) => name.toLowerCase())).not.toContain('transfer-encoding')
  })
})

describe('the load balancer', () => {
  it.each<[string, Handler]>([
    ['a malformed answer', () => ({ statusCode: 200 })],
    ['an answer with null as a header', () => ({ ...ok, headers: { 'x-a': null } })],
    ['an answer above 1 MB', () => ({ ...ok, body: 'a'.repeat(1024 * 1024) })],
    ['an answer of 10 MB', () => ({ ...ok, body: 'a'.repeat(10 * 1024 * 1024) })],
    ['a missing answer', () => undefined],
    ['a function that throws', () => Promise.reject(new Error('secret detail'))],
    ['a function that throws undefined', () => Promise.reject(undefined)],
    ['an answer that JSON cannot hold', () => 7n],
    ['a header of 900 KB', () => ({ ...ok, headers: { 'x-a': 'a'.repeat(900_000) } })],
    ['a status line of 100 KB', () => ({ ...ok, statusDescription: 'a'.repeat(100_000) })],
    ['a header with a line break', () => ({ ...ok, headers: { 'x-a': 'a\r\nx-b: c' } })],
  ])('responds with 502 to %s', async (_case, handler) => {
    await using balancer = await startBalancer(handler)
    const { responses } = await talk(balancer.url, get() + get(), { responses: 2 })
    expect(responses.map(({ statusLine }) => statusLine)).toEqual(Array(2).fill('HTTP/1.1 502 Bad Gateway'))
    expect(responses[0]!.body.toString()).toBe('Bad Gateway\n')
    const lines = await balancer.platform.invocationLog.list()
    expect(lines.map(({ verdict }) => verdict?.text)).toEqual(
      Array(2).fill(expect.stringMatching(/^502 Bad Gateway: ./)),
    )
  })

  it('responds with 502 when the function does not respond in time', async () => {
    await using balancer = await startBalancer(() => new Promise(() => {}), {}, { timeout: 0.05 })
    const { responses } = await talk(balancer.url, get())
    expect(responses[0]).toMatchObject({ status: 502 })
    expect(await balancer.platform.invocationLog.list()).toMatchObject([
      { failure: { kind: 'timeout', message: 'shop timed out after 50 ms' }, verdict: { kind: 'malformed' } },
    ])
  })
})

describe('a client connection', () => {
  const path: Handler = async (event: LoadBalancerEvent) => {
    // A request for `/slow` is answered after later requests.
    await new Promise(resolve => setTimeout(resolve, event.path === '/slow' ? 40 : 0))
    return { ...ok, body: event.path }
  }
  const bodies = (talked: Awaited<ReturnType<typeof talk>>) =>
    talked.responses.map(({ body }) => body.toString())

  it('is kept open after a response', async () => {
    await using balancer = await startBalancer(path)
    const talked = await talk(balancer.url, get('/1'))
    expect({ closed: talked.closed, bodies: bodies(talked) }).toEqual({ closed: false, bodies: ['/1'] })
  })

  it('is closed after a request with "Connection: close", and after a request over HTTP/1.0', async () => {
    await using balancer = await startBalancer(path)
    const requests = ['GET /1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 'GET /1 HTTP/1.0\r\n\r\n']
    for (const request of requests) {
      const talked = await talk(balancer.url, request)
      expect({ closed: talked.closed, bodies: bodies(talked) }).toEqual({ closed: true, bodies: ['/1'] })
    }
  })

  it('delivers the responses to any number of pipelined requests in order', async () => {
    await using balancer = await startBalancer(path)
    const paths = Array.from({ length: 100 }, (_, i) => (i % 30 === 0 ? '/slow' : `/${i}`))
    const talked = await talk(balancer.url, paths.map(get).join(''), { responses: 100 })
    expect(bodies(talked)).toEqual(paths)
  })

  it('has at most sixteen pipelined requests running at a time', async () => {
    const held: (() => void)[] = []
    let most = 0
    const handler: Handler = async () => {
      await new Promise<void>(resolve => {
        held.push(resolve)
        most = Math.max(most, held.length)
      })
      return ok
    }
    await using balancer = await startBalancer(handler)
    // Sends requests one at a time until the connection accepts no more, and then releases them.
    const { hostname, port } = new URL(balancer.url)
    const socket = connect(Number(port), hostname).setNoDelay()
    let received = ''
    socket.on('data', data => {
      received += data
    })
    for (let i = 0; i < 40; i++) {
      socket.write(get())
      await delay(2)
    }
    while (most < 16) await delay(1)
    await delay(20)
    expect(most).toBe(16)
    while (received.split('200 OK').length <= 40) {
      for (const release of held.splice(0)) release()
      await delay(2)
    }
    socket.destroy()
  })

  it('accepts a request that arrives byte by byte', async () => {
    await using balancer = await startBalancer(path)
    expect(bodies(await talk(balancer.url, [...get('/bytes')]))).toEqual(['/bytes'])
  })

  it('stays usable after responses without a body: HEAD, 204 and 304', async () => {
    const handler: Handler = (event: LoadBalancerEvent) => ({
      ...ok,
      statusCode: Number(event.path.slice(1)),
      body: 'a body',
    })
    await using balancer = await startBalancer(handler)
    const head = get('/200').replace('GET', 'HEAD')
    const { responses, rest } = await talk(balancer.url, head + get('/204') + get('/304') + get('/200'), {
      responses: 4,
      heads: [0],
    })
    expect(responses.map(({ status, body }) => [status, body.toString()])).toEqual([
      [200, ''],
      [204, ''],
      [304, ''],
      [200, 'a body'],
    ])
    expect(rest).toBe('')
    for (const { headers } of responses)
      expect(headers.map(([name]) => name.toLowerCase())).not.toContain('transfer-encoding')
  })

  it('does not affect other connections when its client disconnects before the response', async () => {
    await using balancer = await startBalancer(path)
    await talk(balancer.url, 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n', { responses: 0 })
    expect(bodies(await talk(balancer.url, get('/after')))).toEqual(['/after'])
  })

  it('accepts no new requests while the platform stops, and answers earlier ones', async () => {
    const asked: string[] = []
    let release = () => {}
    const handler: Handler = async (event: LoadBalancerEvent) => {
      asked.push(event.path)
      await new Promise<void>(resolve => {
        release = resolve
      })
      return ok
    }
    const balancer = await startBalancer(handler)
    const { hostname, port } = new URL(balancer.url)
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.on('data', data => {
      received += data
    })
    socket.write(get('/1'))
    while (asked.length === 0) await delay(1)
    const stopped = balancer.platform.stop()
    socket.write(get('/2'))
    await delay(20)
    release()
    await Promise.all([stopped, once(socket, 'close')])
    expect(asked).toEqual(['/1'])
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n.*connection: close/is)
  })

  it.each([
    ['has sent nothing yet', ''],
    ['has sent half of a request', 'GET / HT'],
    ['has sent one and a half requests', `${get('/1')}GET / HT`],
    ['waits for two responses', `${get('/slow')}${get('/2')}`],
  ])('does not delay the stop of the platform when its client %s', async (_case, text) => {
    // With this manual clock, no timeout ever ends the wait.
    const balancer = await startBalancer(path, {}, { clock: manualClock() })
    const { hostname, port } = new URL(balancer.url)
    const socket = connect(Number(port), hostname).resume()
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(text)
    await delay(20)
    const stopped = balancer.platform.stop().then(() => 'stopped')
    const result = await Promise.race([stopped, delay(3000, 'kept', { ref: false })])
    socket.destroy()
    await stopped
    expect(result).toBe('stopped')
  })

  it('accepts no requests after a stopping platform has closed it', async () => {
    const asked: string[] = []
    const balancer = await startBalancer(event => {
      asked.push((event as LoadBalancerEvent).path)
      return path(event as never, {} as never)
    })
    const { hostname, port } = new URL(balancer.url)
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    let received = ''
    socket.on('data', data => {
      received += data
      if (received.includes('/2')) socket.write(get('/3'))
    })
    socket.write(get('/slow') + get('/2'))
    while (asked.length < 2) await delay(1)
    await delay(5)
    await Promise.all([balancer.platform.stop(), once(socket, 'end')])
    socket.destroy()
    expect(received).toMatch(/\/slow.*\/2$/s)
    expect(asked).toEqual(['/slow', '/2'])
  })

  it('delivers 100 Continue when the client waits for it before sending the body', async () => {
    await using balancer = await startBalancer(path)
    const head = 'POST /1 HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n'
    const { responses } = await talk(balancer.url, [head, 'x'], { responses: 2 })
    expect(responses.map(({ status }) => status)).toEqual([100, 200])
  })
})

it('the load balancer responds with 503 when no instance is available', async () => {
  using folder = projectFolder(answerWith('late', 'await new Promise(resolve => setTimeout(resolve, 600))'))
  const platform = createPlatform(
    {
      functions: { shop: { module: 'shop.ts', instances: 1, wait: 0 } },
      loadBalancers: { web: { port: 0, function: 'shop' } },
      dataDir: ':memory:',
    },
    { root: folder.path },
  )
  const [address] = await platform.start()
  const [first, second] = await Promise.all([talk(address!.url, get()), talk(address!.url, get())])
  await platform.stop()
  expect(first.responses[0]!.body.toString()).toBe('late')
  expect(second.responses[0]).toMatchObject({ statusLine: 'HTTP/1.1 503 Service Unavailable' })
  expect(second.responses[0]!.body.toString()).toBe('Service Unavailable\n')
})

it('the HTTP response has a Date header and a Content-Length header', async () => {
  const response = await answering({ ...ok, body: 'four' })
  expect(headerOf(response, 'content-length')).toBe('4')
  expect(Date.parse(headerOf(response, 'date')!)).toBeGreaterThan(0)
})
