import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import { get, loadBalancer, post, toWebRequest } from '@signalbox/load-balancer'
import { LoadBalancerEvent, methods } from '@signalbox/load-balancer/contract'
import { talk } from '@signalbox/platform-runtime/testing/raw-client'
import { echo, startBalancer } from '../../testing/running-balancer.ts'

const request = (head: string, body = '') =>
  `${head}\r\nHost: shop.example\r\nConnection: close\r\n\r\n${body}`

async function eventOf(text: string | Buffer, multiValueHeaders = false): Promise<LoadBalancerEvent> {
  await using balancer = await startBalancer(echo, { multiValueHeaders })
  const { responses } = await talk(balancer.url, text)
  return JSON.parse(responses[0]!.body.toString()) as LoadBalancerEvent
}

describe('the event of a request', () => {
  it('has the ARN of the target group in `requestContext.elb.targetGroupArn`', async () => {
    const arn = 'arn:cloud:balancer:region-1:1:targetgroup/shop/7'
    await using balancer = await startBalancer(echo, { targetGroupArn: arn })
    const { responses } = await talk(balancer.url, request('GET / HTTP/1.1'))
    expect(JSON.parse(responses[0]!.body.toString())).toMatchObject({
      requestContext: { elb: { targetGroupArn: arn } },
    })
  })

  it.each(methods.filter(method => method !== 'HEAD'))('has the httpMethod %s', async method => {
    expect(await eventOf(request(`${method} / HTTP/1.1`))).toMatchObject({ httpMethod: method })
  })

  it('has the httpMethod HEAD', async () => {
    const seen: unknown[] = []
    await using balancer = await startBalancer(event => {
      seen.push((event as LoadBalancerEvent).httpMethod)
      return echo(event, undefined as never)
    })
    const { responses } = await talk(balancer.url, request('HEAD / HTTP/1.1'), { heads: [0] })
    expect(seen).toEqual(['HEAD'])
    expect(responses[0]!.statusLine).toBe('HTTP/1.1 200 OK')
  })

  it('has the raw path', async () => {
    for (const path of ['/a/../b', '/a%20b', '//c', '/%zz', '/a;b=c', '/a|b"<>^`{}', "/~'()*!"]) {
      expect(await eventOf(request(`GET ${path} HTTP/1.1`))).toMatchObject({ path })
    }
    expect(await eventOf(request('GET http://other.example/a%41?b HTTP/1.1'))).toMatchObject({
      path: '/a%41',
    })
    expect(await eventOf(request('OPTIONS * HTTP/1.1'))).toMatchObject({ path: '*' })
  })

  it('has the last raw value of each query parameter in `queryStringParameters`', async () => {
    expect(await eventOf(request('GET /?a=1&b=%41+x&a=2&c&=d&&__proto__=e HTTP/1.1'))).toMatchObject({
      queryStringParameters: Object.fromEntries([
        ['a', '2'],
        ['b', '%41+x'],
        ['c', ''],
        ['', 'd'],
        ['__proto__', 'e'],
      ]),
    })
  })

  it('has every value of each query parameter in `multiValueQueryStringParameters`', async () => {
    const event = await eventOf(request('GET /?a=1&b=%41&a=2 HTTP/1.1'), true)
    expect(event).toMatchObject({ multiValueQueryStringParameters: { a: ['1', '2'], b: ['%41'] } })
    expect(event).not.toHaveProperty('queryStringParameters')
    expect(event).not.toHaveProperty('headers')
  })

  it('has the lower-case name and the last value of each header in `headers`', async () => {
    const event = await eventOf(
      request('GET / HTTP/1.1\r\nX-One: 1\r\nCookie: a=1\r\nx-one: 2\r\ncookie: b=2'),
    )
    expect(event.headers).toMatchObject({ 'x-one': '2', cookie: 'b=2', host: 'shop.example' })
    expect(event).not.toHaveProperty('multiValueHeaders')
    expect(event).not.toHaveProperty('multiValueQueryStringParameters')
  })

  it('has the host of an absolute request target instead of the Host header', async () => {
    const text = request('GET http://other.example/ HTTP/1.1')
    expect((await eventOf(text)).headers).toMatchObject({ host: 'other.example' })
    expect((await eventOf(text, true)).multiValueHeaders).toMatchObject({ host: ['other.example'] })
  })

  it('has every value of each header in `multiValueHeaders` instead of `headers`', async () => {
    const event = await eventOf(
      request('GET / HTTP/1.1\r\nX-One: 1\r\nCookie: a=1\r\nx-one: 2\r\ncookie: b=2'),
      true,
    )
    expect(event.multiValueHeaders).toMatchObject({ 'x-one': ['1', '2'], cookie: ['a=1', 'b=2'] })
  })

  it('has the body, and `isBase64Encoded` is true only when the body is Base64', async () => {
    const post = (headers: string, body: string | Buffer) => {
      const bytes = Buffer.from(body as string)
      const head = request(`POST / HTTP/1.1\r\n${headers}Content-Length: ${bytes.length}`)
      return eventOf(Buffer.concat([Buffer.from(head), bytes]))
    }
    expect(await post('Content-Type: application/json; charset=utf-16le\r\n', '{}')).toMatchObject({
      body: 'e30=',
      isBase64Encoded: true,
    })
    for (const type of [
      'text/plain',
      'text/html; charset=utf-8',
      'application/json',
      'application/javascript',
      'application/xml',
    ])
      expect(await post(`Content-Type: ${type}\r\n`, 'hé')).toMatchObject({
        body: 'hé',
        isBase64Encoded: false,
      })
    const encoded = { body: 'aMOp', isBase64Encoded: true }
    for (const headers of [
      '',
      'Content-Type: application/x-www-form-urlencoded\r\n',
      'Content-Type: image/png\r\n',
    ])
      expect(await post(headers, 'hé')).toMatchObject(encoded)
    expect(await post('Content-Type: text/plain\r\nContent-Encoding: identity\r\n', 'hé')).toMatchObject(
      encoded,
    )
    expect(await post('', '')).toMatchObject({ body: '', isBase64Encoded: false })
  })

  it('has the whole body of a chunked request', async () => {
    const chunked = 'Transfer-Encoding: chunked\r\nContent-Type: text/plain'
    expect(
      await eventOf(
        request(`POST / HTTP/1.1\r\n${chunked}`, '3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: t\r\n\r\n'),
      ),
    ).toMatchObject({ body: 'abcde' })
  })

  it('is a valid load balancer event even when parameters and headers have names like __proto__', async () => {
    for (const multiValue of [false, true]) {
      const event = await eventOf(
        request('GET /?__proto__=1&constructor HTTP/1.1\r\nconstructor: x\r\n__proto__: y'),
        multiValue,
      )
      expect(LoadBalancerEvent.is(event)).toBe(true)
    }
  })
})

describe('hop-by-hop headers (RFC 9110, 7.6.1)', () => {
  const lines = [
    'Connection: close, X-Internal',
    'X-Internal: 1',
    'Keep-Alive: timeout=5',
    'Proxy-Authorization: Basic c2VjcmV0',
    'Proxy-Connection: keep-alive',
    'TE: trailers',
    'Trailer: x-sum',
    'Transfer-Encoding: chunked',
    'Upgrade: h2c',
    'Expect: 100-continue',
    'X-Kept: 1',
  ]
  const chunked = `POST / HTTP/1.1\r\nHost: shop.example\r\n${lines.join('\r\n')}\r\n\r\n2\r\nab\r\n0\r\n\r\n`

  it.each([
    ['single-value', false],
    ['multi-value', true],
  ])('do not appear in an event with %s headers', async (_case, multiValueHeaders) => {
    await using balancer = await startBalancer(echo, { multiValueHeaders })
    const { responses } = await talk(balancer.url, chunked, { responses: 2 })
    const event = JSON.parse(responses[1]!.body.toString()) as LoadBalancerEvent
    expect(Object.keys(event.multiValueHeaders ?? event.headers!)).toEqual([
      'host',
      'x-kept',
      'x-forwarded-for',
      'x-forwarded-port',
      'x-forwarded-proto',
      'x-cloud-trace-id',
    ])
    expect(responses[1]!.body.toString()).not.toContain('c2VjcmV0')
  })

  it('do not include headers that an event needs, even when the Connection header names them', async () => {
    const named =
      'Host, Content-Type, Content-Length, X-Forwarded-For, X-Forwarded-Proto, X-Cloud-Trace-Id, X-One'
    const event = await eventOf(
      `POST / HTTP/1.1\r\nHost: a\r\nConnection: close, ${named}\r\nX-One: 1\r\nX-Forwarded-For: 9.9.9.9\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nab`,
    )
    expect(event).toMatchObject({
      body: 'ab',
      headers: { host: 'a', 'content-type': 'text/plain', 'x-forwarded-for': '9.9.9.9, 127.0.0.1' },
    })
    expect(event.headers).not.toHaveProperty('x-one')
    expect(event.headers).toHaveProperty('x-cloud-trace-id')
  })

  it('are removed, so that a function can forward a chunked POST request', async () => {
    await using origin = await startBalancer(echo)
    await using proxy = await startBalancer(
      signalbox(
        loadBalancer([
          post('/{path}', async each => {
            const request = toWebRequest(each)
            return fetch(new Request(new URL('/there', origin.url), request))
          }),
        ]),
      ) as never,
    )
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from('in two'))
        controller.enqueue(Buffer.from(' chunks'))
        controller.close()
      },
    })
    const response = await fetch(`${proxy.url}/here`, {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'content-type': 'text/plain' },
    } as RequestInit)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ path: '/there', body: 'in two chunks' })
  })
})

it('a client request with the user-agent of health checks is not treated as a health check', async () => {
  await using balancer = await startBalancer(
    signalbox(
      loadBalancer([get('/', ({ isHealthCheck }) => ({ statusCode: 200, body: String(isHealthCheck) }))]),
    ) as never,
  )
  const text = request('GET / HTTP/1.1\r\nUser-Agent: ELB-HealthChecker/2.0')
  expect((await talk(balancer.url, text)).responses[0]!.body.toString()).toBe('false')
})

describe('the load balancer', () => {
  it('adds x-forwarded-for, x-forwarded-port and x-forwarded-proto, which a client cannot forge', async () => {
    await using balancer = await startBalancer(echo)
    const forged = ['For: 203.0.113.9', 'for: 198.51.100.1, 10.0.0.1', 'Port: 1', 'Proto: https'].map(
      line => `X-Forwarded-${line}\r\n`,
    )
    const { responses } = await talk(balancer.url, request(`GET / HTTP/1.1\r\n${forged.join('').trimEnd()}`))
    const { headers } = JSON.parse(responses[0]!.body.toString()) as LoadBalancerEvent
    expect(headers).toMatchObject({
      'x-forwarded-for': '203.0.113.9, 198.51.100.1, 10.0.0.1, 127.0.0.1',
      'x-forwarded-port': new URL(balancer.url).port,
      'x-forwarded-proto': 'http',
    })
  })

  it('adds each x-forwarded header once in multi-value mode', async () => {
    const event = await eventOf(
      request('GET / HTTP/1.1\r\nX-Forwarded-For: 1.2.3.4\r\nX-Forwarded-Port: 1'),
      true,
    )
    expect(event.multiValueHeaders).toMatchObject({
      'x-forwarded-for': ['1.2.3.4, 127.0.0.1'],
      'x-forwarded-proto': ['http'],
    })
    expect(event.multiValueHeaders?.['x-forwarded-port']).toHaveLength(1)
  })

  it('creates x-cloud-trace-id, or puts Self= before the Root= field that the client sent', async () => {
    const options = { clock: manualClock(0x6affe644 * 1000), random: (size: number) => new Uint8Array(size) }
    await using balancer = await startBalancer(echo, {}, options)
    const traceRoot = '1-6affe644-000040008000000000000000'
    for (const [sent, expected] of [
      ['', `Root=${traceRoot}`],
      ['\r\nX-Cloud-Trace-Id: Root=1-a-b', `Self=${traceRoot};Root=1-a-b`],
      ['\r\nX-Cloud-Trace-Id: x\r\nx-cloud-trace-id: Root=1-a-b', `Self=${traceRoot};Root=1-a-b`],
    ]) {
      const { responses } = await talk(balancer.url, request(`GET / HTTP/1.1${sent}`))
      const { headers } = JSON.parse(responses[0]!.body.toString()) as LoadBalancerEvent
      expect(headers).toMatchObject({ 'x-cloud-trace-id': expected })
    }
  })
})

it('a new trace id has the time of the wall clock', async () => {
  const clock = manualClock(0x6affe644 * 1000)
  await using balancer = await startBalancer(echo, {}, { clock })
  clock.jump(-0x1000 * 1000)
  const { responses } = await talk(balancer.url, request('GET / HTTP/1.1'))
  const { headers } = JSON.parse(responses[0]!.body.toString()) as LoadBalancerEvent
  expect(headers!['x-cloud-trace-id']).toMatch(/^Root=1-6affd644-/)
})

it('each request on a connection has all its headers and its own trace id', async () => {
  for (const multiValueHeaders of [false, true]) {
    await using balancer = await startBalancer(echo, { multiValueHeaders })
    const head = (...lines: string[]) =>
      `GET /a HTTP/1.1\r\nHost: shop.example\r\n${lines.map(line => `${line}\r\n`).join('')}\r\n`
    const heads = [
      head('X-One: 1', 'X-Forwarded-For: 9.9.9.9'),
      head('X-One: 1', 'X-Forwarded-For: 9.9.9.9'),
      head('X-One: 2', 'X-Forwarded-For: 9.9.9.9'),
      head('X-One: 2', 'X-Cloud-Trace-Id: Root=1-a-b'),
      head('X-One: 2', 'X-Cloud-Trace-Id: Root=1-a-b'),
      head(),
      'GET http://other.example/ HTTP/1.1\r\nHost: shop.example\r\n\r\n',
      head(),
      head('Upgrade: websocket', 'Connection: close'),
    ]
    const { responses } = await talk(balancer.url, heads.join(''))
    expect(responses.map(({ status }) => status)).toEqual([...Array(8).fill(200), 400])
    const events = responses
      .slice(0, 8)
      .map(({ body }) => JSON.parse(body.toString()) as { headers?: object; multiValueHeaders?: object })
    const headersOf = (name: string) =>
      events.map(event => {
        const value = ((event.multiValueHeaders ?? event.headers) as Record<string, unknown>)[name]
        return Array.isArray(value) ? value.join('|') : value
      })
    expect(headersOf('x-one')).toEqual(['1', '1', '2', '2', '2', undefined, undefined, undefined])
    expect(headersOf('host')).toEqual([...Array(6).fill('shop.example'), 'other.example', 'shop.example'])
    expect(headersOf('x-forwarded-for')).toEqual([
      ...Array(3).fill('9.9.9.9, 127.0.0.1'),
      ...Array(5).fill('127.0.0.1'),
    ])
    const traces = headersOf('x-cloud-trace-id') as string[]
    expect(new Set(traces).size).toBe(8)
    expect(traces.map(trace => trace.endsWith(';Root=1-a-b'))).toEqual([
      ...Array(3).fill(false),
      true,
      true,
      ...Array(3).fill(false),
    ])
  }
})
