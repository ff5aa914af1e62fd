import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import type { LoadBalancerEvent } from '@signalbox/load-balancer/contract'
import { headerOf, talk } from '@signalbox/platform-runtime/testing/raw-client'
import { ok, type RunningBalancer, startBalancer } from '../../testing/running-balancer.ts'

const request = (method: string, path: string, body = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\n${body === '' ? '' : `Content-Length: ${body.length}\r\n`}\r\n${body}`

/** Creates a function that waits until the test releases it, and records the start and the end of each call. */
function gate(body: string = '') {
  const notes: string[] = []
  const held: (() => void)[] = []
  return {
    notes,
    held,
    begun: async (count: number) => {
      while (notes.filter(note => !note.startsWith('end')).length < count) await delay(1)
    },
    handler: async ({ httpMethod, path }: LoadBalancerEvent) => {
      notes.push(`${httpMethod} ${path}`)
      await new Promise<void>(resolve => held.push(resolve))
      notes.push(`end ${path}`)
      return { ...ok, headers: { 'x-path': path }, body }
    },
    letGo: () => held.shift()?.(),
  }
}

async function open(balancer: RunningBalancer): Promise<Socket> {
  const { hostname, port } = new URL(balancer.url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

describe('pipelined requests', () => {
  it('with unsafe methods run one after another, in order', async () => {
    const { handler, notes, begun, letGo } = gate()
    await using balancer = await startBalancer(handler)
    const all = ['PUT /1', 'DELETE /2', 'GET /3', 'GET /4', 'POST /5', 'GET /6']
    const text = all.map(each => request(each.split(' ')[0]!, each.split(' ')[1]!, 'ab')).join('')
    const talked = talk(balancer.url, text, { responses: all.length })
    for (const count of [1, 2, 3, 4, 5, 6]) {
      await begun(count)
      letGo()
    }
    const { responses } = await talked
    expect(responses.map(response => headerOf(response, 'x-path'))).toEqual(
      all.map(each => each.split(' ')[1]),
    )
    expect(notes).toEqual(all.flatMap(each => [each, `end ${each.split(' ')[1]}`]))
  })

  it('with safe methods run at the same time, up to the next request with an unsafe method', async () => {
    const { handler, notes, begun, letGo } = gate()
    await using balancer = await startBalancer(handler)
    const text = ['GET /1', 'HEAD /2', 'OPTIONS /3', 'PATCH /4', 'GET /5', 'GET /6'].map(each =>
      request(each.split(' ')[0]!, each.split(' ')[1]!),
    )
    const talked = talk(balancer.url, text.join(''), { responses: 6, heads: [1] })
    await begun(3)
    await delay(20)
    expect(notes).toEqual(['GET /1', 'HEAD /2', 'OPTIONS /3'])
    for (let i = 0; i < 3; i++) letGo()
    await begun(4)
    await delay(20)
    expect(notes.slice(6)).toEqual(['PATCH /4'])
    letGo()
    await begun(6)
    letGo()
    letGo()
    expect((await talked).responses).toHaveLength(6)
  })

  it('are not started while the client has 1 MB of unread responses', async () => {
    let begun = 0
    const large = 'a'.repeat(1_000_000)
    await using balancer = await startBalancer(() => {
      begun++
      return { ...ok, body: large }
    })
    const socket = (await open(balancer)).pause()
    socket.write(request('GET', '/').repeat(2000))
    let before = -1
    while (before !== begun || begun === 0) {
      before = begun
      await delay(100)
    }
    // Sixteen requests run at a time, and the system buffers hold some more responses in the meantime.
    expect(begun).toBeLessThanOrEqual(32)
    socket.destroy()
    expect((await talk(balancer.url, request('GET', '/'))).responses).toHaveLength(1)
  })

  it('are all answered even when thousands of them arrive at once', async () => {
    await using balancer = await startBalancer((event: LoadBalancerEvent) => ({ ...ok, body: event.path }))
    const paths = Array.from({ length: 2000 }, (_, i) => `/${i}`)
    const { responses } = await talk(balancer.url, paths.map(path => request('GET', path)).join(''), {
      responses: 2000,
    })
    expect(responses.map(({ body }) => body.toString())).toEqual(paths)
  })

  it('are not started after their client has disconnected', async () => {
    const { handler, notes, begun, letGo } = gate()
    await using balancer = await startBalancer(handler)
    const socket = await open(balancer)
    socket.write(request('POST', '/1') + request('POST', '/2') + request('POST', '/3'))
    await begun(1)
    socket.resetAndDestroy()
    await delay(20)
    // Between two timers the server reads what has come, however late this process is.
    await delay(1)
    letGo()
    await delay(20)
    expect(notes).toEqual(['POST /1', 'end /1'])
  })

  it('are not started when the platform stops while they wait', async () => {
    const { handler, notes, begun, letGo } = gate()
    const balancer = await startBalancer(handler)
    const talked = talk(balancer.url, request('POST', '/1') + request('POST', '/2'), { responses: 2 })
    await begun(1)
    const stopped = balancer.platform.stop()
    await delay(20)
    letGo()
    const { responses, closed } = await talked
    await stopped
    expect(responses.map(response => headerOf(response, 'connection'))).toEqual(['close'])
    expect(closed).toBe(true)
    expect(notes).toEqual(['POST /1', 'end /1'])
  })

  it.each([
    ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
    ['a CONNECT request', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['a request with an unknown Expect header', 'POST / HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n', 417],
    [
      'a request with invalid chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\nzz\r\n',
      400,
    ],
    [
      'a request with a body above 1 MB',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n',
      413,
    ],
  ])('get their responses before the load balancer refuses %s', async (_case, last, status) => {
    const { handler, notes, letGo } = gate()
    await using balancer = await startBalancer(handler)
    const text = request('POST', '/1') + request('POST', '/2', 'ab') + last + request('POST', '/3')
    const talked = talk(balancer.url, text, { responses: 3 })
    const going = setInterval(letGo, 5)
    const { responses, closed } = await talked
    clearInterval(going)
    expect(responses.map(response => response.status)).toEqual([200, 200, status])
    expect(closed).toBe(true)
    expect(notes).toEqual(['POST /1', 'end /1', 'POST /2', 'end /2'])
  })

  it('can have bodies of any length while they wait', async () => {
    const { handler, letGo, held } = gate()
    const lengths: number[] = []
    await using balancer = await startBalancer(async (event: LoadBalancerEvent) => {
      lengths.push(event.body!.length)
      return handler(event)
    })
    const long = Buffer.alloc(900_000, 'b').toString()
    const post = (body: string) =>
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const talked = talk(balancer.url, post('a') + post(long) + post('c') + post(long), { responses: 4 })
    while (held.length === 0) await delay(1)
    await delay(20)
    expect(lengths).toEqual([1])
    const going = setInterval(letGo, 5)
    expect((await talked).responses).toHaveLength(4)
    clearInterval(going)
    expect(lengths).toEqual([1, 900_000, 1, 900_000])
  })
})

describe('a client that half-closes its connection', () => {
  it.each([
    ['the response to one request', 1],
    ['the responses to three pipelined requests', 3],
  ])('gets %s', async (_case, count) => {
    await using balancer = await startBalancer(async () => {
      await delay(30)
      return { ...ok, body: 'whole' }
    })
    const { responses, closed } = await talk(balancer.url, request('POST', '/').repeat(count), {
      responses: count,
      halfClose: true,
    })
    expect(responses.map(({ body }) => body.toString())).toEqual(Array(count).fill('whole'))
    expect(closed).toBe(true)
  })

  it('is refused when its request is incomplete', async () => {
    await using balancer = await startBalancer(() => ok)
    const { responses, closed } = await talk(
      balancer.url,
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab',
      {
        halfClose: true,
      },
    )
    expect([responses.map(({ status }) => status), closed]).toEqual([[400], true])
  })

  it('is disconnected when it has sent no request', async () => {
    await using balancer = await startBalancer(() => ok)
    const { responses, closed } = await talk(balancer.url, '', { halfClose: true })
    expect([responses, closed]).toEqual([[], true])
  })
})
