import { setTimeout as delay } from 'node:timers/promises'
import type { LoadBalancerEvent } from '@signalbox/load-balancer/contract'
import { caseCosts } from '@signalbox/platform-runtime/testing/case-costs'
import { talk } from '@signalbox/platform-runtime/testing/raw-client'
import fc from 'fast-check'
import { ok, type RunningBalancer, startBalancer } from '../../testing/running-balancer.ts'

/** A request and its expected result. */
interface Sent {
  /** Whether the request has a path. A request without a path is refused. */
  readonly path: boolean
  readonly status: number
  /** Whether later requests are ignored. */
  readonly last: boolean
  readonly isHead?: boolean
  readonly text: (path: string) => string
}

const good = (text: Sent['text'], more: Partial<Sent> = {}): Sent => ({
  path: true,
  status: 200,
  last: false,
  text,
  ...more,
})
const refused = (status: number, text: Sent['text']): Sent => ({ path: false, status, last: true, text })
const request = (line: string, lines: readonly string[] = [], body = '') =>
  `${[line, 'Host: a', ...lines].join('\r\n')}\r\n\r\n${body}`
const chunked = ['Transfer-Encoding: chunked']

const goesOn: fc.Arbitrary<Sent> = fc.oneof(
  fc.constant(good(path => request(`GET ${path} HTTP/1.1`))),
  fc.constant(good(path => request(`HEAD ${path} HTTP/1.1`), { isHead: true })),
  fc.constantFrom('DELETE', 'OPTIONS').map(method => good(path => request(`${method} ${path} HTTP/1.1`))),
  fc
    .nat(300)
    .map(size =>
      good(path => request(`POST ${path} HTTP/1.1`, [`Content-Length: ${size}`], 'b'.repeat(size))),
    ),
  fc
    .array(fc.integer({ min: 1, max: 40 }), { maxLength: 4 })
    .map(sizes => sizes.map(size => `${size.toString(16)}\r\n${'c'.repeat(size)}\r\n`).join(''))
    .map(chunks => good(path => request(`PUT ${path} HTTP/1.1`, chunked, `${chunks}0\r\n\r\n`))),
)
const ends: fc.Arbitrary<Sent> = fc.constantFrom(
  good(path => request(`GET ${path} HTTP/1.1`, ['Connection: close']), { last: true }),
  good(path => request(`GET ${path} HTTP/1.0`), { last: true }),
  good(path => request(`GET ${path} HTTP/1.1`, ['Connection: upgrade', 'Upgrade: h2c']), { last: true }),
  refused(405, path => request(`TRACE ${path} HTTP/1.1`)),
  refused(405, () => request('CONNECT a:80 HTTP/1.1')),
  refused(400, path => request(`GET ${path} HTTP/1.1`, ['Upgrade: websocket'])),
  refused(413, path => request(`POST ${path} HTTP/1.1`, ['Content-Length: 2000000'])),
  refused(417, path => request(`POST ${path} HTTP/1.1`, ['Expect: more'])),
  refused(501, path => request(`POST ${path} HTTP/1.1`, ['Transfer-Encoding: gzip, chunked'], '0\r\n\r\n')),
  refused(400, () => 'hello\r\n\r\n'),
)

const conversation = fc.record({
  sent: fc.array(
    fc.record({
      kind: fc.oneof({ weight: 30, arbitrary: goesOn }, { weight: 1, arbitrary: ends }),
      wait: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(10)),
      size: fc.oneof({ weight: 9, arbitrary: fc.nat(50) }, fc.nat(200_000)),
    }),
    { minLength: 1, maxLength: 50 },
  ),
  /** The lengths of the chunks in which the bytes are sent. After the last one, the first one is used again. */
  pieces: fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 5 }),
  /** Whether the client half-closes the connection after sending everything. */
  halfClose: fc.boolean(),
})

type Conversation = typeof conversation extends fc.Arbitrary<infer C> ? C : never

function cut(text: string, lengths: readonly number[]): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const length = lengths[pieces.length % lengths.length]!
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}

const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Sends many requests over one connection, in pieces of any length. Valid requests must be started and answered in
 * order, and the function must get no other requests. Unsafe requests must run alone. The connection must close after
 * the last valid request or after a half-close by the client. Otherwise, it must stay open.
 */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  let asked: string[] = []
  const running: string[] = []
  const overlaps: string[] = []
  await using balancer: RunningBalancer = await startBalancer(
    async ({ path, httpMethod }: LoadBalancerEvent) => {
      asked.push(path)
      running.push(httpMethod)
      if (running.length > 1 && !running.every(method => safe.has(method))) overlaps.push(running.join())
      const [, , wait, size] = path.split('/').map(Number)
      if (wait! > 0) await delay(wait)
      running.splice(running.indexOf(httpMethod), 1)
      return { ...ok, headers: { 'x-path': path }, body: 'r'.repeat(size!) }
    },
  )
  const rounds = Math.ceil(runs / 100)
  let answered = 0
  const costs = caseCosts()
  const converse = async ({ sent, pieces, halfClose }: Conversation) => {
    asked = []
    const all = sent.map(({ kind, wait, size }, i) => ({ ...kind, target: `/${i}/${wait}/${size}` }))
    const end = all.findIndex(({ last }) => last)
    const counted = end < 0 ? all : all.slice(0, end + 1)
    const heads = all.flatMap(({ isHead }, i) => (isHead ? [i] : []))
    const text = all.map(({ text, target }) => text(target)).join('')
    const talked = await talk(balancer.url, cut(text, pieces), {
      responses: end < 0 && !halfClose ? counted.length : Number.POSITIVE_INFINITY,
      heads,
      halfClose,
    })
    const found = {
      answers: talked.responses.map(({ status, headers }, i) => [
        // When a body is too large, the server may notice the client's half-close first.
        status === 400 && halfClose && counted[i]?.status === 413 ? 413 : status,
        headers.find(([name]) => name === 'x-path')?.[1],
      ]),
      asked,
      overlaps,
      closed: talked.closed,
      rest: talked.rest,
    }
    const expected = {
      answers: counted.map(({ status, path, target }) => [status, path ? target : undefined]),
      asked: counted.flatMap(({ path, target }) => (path ? [target] : [])),
      overlaps: [],
      closed: end >= 0 || halfClose,
      rest: '',
    }
    answered += counted.length
    if (JSON.stringify(found) !== JSON.stringify(expected))
      throw new Error(JSON.stringify({ found, expected }, null, 1))
  }
  await costs.inHalves(half =>
    fc.assert(
      fc.asyncProperty(conversation, each =>
        costs.hold(
          () => JSON.stringify(each).slice(0, 2000),
          () => converse(each),
        ),
      ),
      { numRuns: Math.ceil(rounds / 2), ...(seed === undefined ? {} : { seed: seed + half }) },
    ),
  )
  return `${rounds} connections, ${answered} requests answered in their order, and none behind the last; ${costs.figures()}`
}
