import { caseCosts } from '@signalbox/platform-runtime/testing/case-costs'
import { sendAndReset, talk } from '@signalbox/platform-runtime/testing/raw-client'
import fc from 'fast-check'
import { ok, type RunningBalancer, startBalancer } from '../../testing/running-balancer.ts'

const end = '\r\n\r\n'
const head = 'POST /orders?x=1 HTTP/1.1\r\nHost: a\r\n'
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const byteOf = (allowed: (byte: number) => boolean) =>
  fc.constantFrom(
    ...Array.from({ length: 256 }, (_, byte) => byte)
      .filter(allowed)
      .map(byte => String.fromCharCode(byte)),
  )
const word = fc.stringMatching(/^[a-z]{0,8}$/)

const notInName = byteOf(byte => !/[!#$%&'*+.^_`|~0-9A-Za-z\-:\r\n]/.test(String.fromCharCode(byte)))
const notInValue = byteOf(byte => (byte < 32 && byte !== 9 && byte !== 10) || byte === 127)

/** Malformed requests, each with one defect, and the expected responses. */
const malformed: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(
      byteOf(byte => !/[A-Z\r\n]/.test(String.fromCharCode(byte))),
      fc.string({ unit: 'binary-ascii' }),
    )
    .map(parts => parts.join('') + end),
  fc.tuple(word, notInName, word).map(([a, bad, b]) => `${head}x${a}${bad}${b}y: z${end}`),
  fc.tuple(word, notInValue, word).map(([a, bad, b]) => `${head}X: ${a}${bad}${b}y${end}`),
  word.map(name => `${head}x${name}${end}`),
  fc
    .tuple(fc.nat(99), fc.nat(99))
    .filter(([major]) => major !== 1)
    .map(([major, minor]) => `GET / HTTP/${major}.${minor}\r\nHost: a${end}`),
  fc
    .tuple(
      word,
      byteOf(byte => byte < 33 && byte !== 10 && byte !== 13 && byte !== 32),
    )
    .map(([a, bad]) => `GET /${a}${bad}b HTTP/1.1\r\nHost: a${end}`),
  word.map(target => `GET x${target} HTTP/1.1\r\nHost: a${end}`),
  fc.constantFrom('', 'x: y\r\n').map(lines => `GET / HTTP/1.1\r\n${lines}\r\n`),
  word.map(host => `${head}Host: b${host}${end}`),
  fc
    .constantFrom('-1', '1,1', '0x10', '1e3', 'a', '1 1', '99999999999999999999')
    .map(length => `${head}Content-Length: ${length}${end}`),
  fc.tuple(fc.nat(9), fc.nat(9)).map(([a, b]) => `${head}Content-Length: ${a}\r\nContent-Length: ${b}${end}`),
  fc.nat(9).map(length => `${head}Content-Length: ${length}\r\nTransfer-Encoding: chunked${end}`),
  fc
    .constantFrom('GET', 'POST', 'OPTIONS', 'SOURCE', 'DESCRIBE')
    .map(method => `${method} / ICE/1.0\r\nHost: a${end}`),
  fc.stringMatching(/^[g-z][a-z]{0,5}$/).map(size => `${head}Transfer-Encoding: chunked${end}${size}\r\n`),
  fc.stringMatching(/^[a-z]{3,9}$/).map(data => `${head}Transfer-Encoding: chunked${end}1\r\n${data}\r\n`),
)

/** Valid requests in which some bytes were changed, duplicated or removed. */
const damaged: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.constantFrom(
      `${head}Content-Length: 3${end}abc`,
      `GET /a?b=c HTTP/1.1\r\nHost: a\r\nCookie: a=b${end}`,
      `${head}Transfer-Encoding: chunked${end}3\r\nabc\r\n0\r\n\r\n`,
    ),
    fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.constantFrom('set', 'insert', 'remove')), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([text, changes]) => {
    const bytes = [...latin1(text)]
    for (const [place, byte, change] of changes) {
      const at = place % (bytes.length + 1)
      if (change === 'insert') bytes.splice(at, 0, byte)
      else if (change === 'remove') bytes.splice(at, 1)
      else if (at < bytes.length) bytes[at] = byte
    }
    return Buffer.from(bytes)
  })

/** Conversations that a client may break off after any byte. */
const conversations = [
  `GET / HTTP/1.1\r\nHost: a${end}${head}Content-Length: 3${end}abcDELETE / HTTP/1.1\r\nHost: a${end}`,
  `${head}Transfer-Encoding: chunked\r\nTrailer: t${end}3\r\nabc\r\n0\r\nt: u${end}`,
  `${head}Expect: 100-continue\r\nContent-Length: 3${end}abc`,
  `GET / HTTP/1.1\r\nHost: a${end}CONNECT a:1 HTTP/1.1\r\nHost: a${end}what follows`,
  `GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: upgrade${end}what follows`,
  `GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: upgrade${end}what follows`,
  `${head}Content-Length: 9${end}${'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20)}`,
]

/** Breaks off conversations after each byte, alternately by a reset and by a half-close. */
async function areLeft(balancer: RunningBalancer, times: number): Promise<number> {
  const starts = conversations.flatMap(text => Array.from(text, (_, length) => text.slice(0, length + 1)))
  const step = Math.max(1, Math.floor(starts.length / times))
  let left = 0
  for (let i = 0; left < times; i += step) {
    const start = latin1(starts[i % starts.length]!)
    if (left++ % 2 === 0) {
      await sendAndReset(balancer.url, start, left % 3)
      continue
    }
    const { responses, closed, rest } = await talk(balancer.url, start, { responses: 50, halfClose: true })
    const isRight = responses.every(({ status }) => [100, 200, 400, 405].includes(status))
    if (!isRight || !closed || rest !== '')
      throw new Error(
        `${JSON.stringify(start.toString('latin1'))}: ${JSON.stringify({ responses, closed, rest })}`,
      )
  }
  return left
}

async function isRefused(balancer: RunningBalancer, text: string): Promise<void> {
  const { responses, closed, rest } = await talk(balancer.url, latin1(text), { responses: 2 })
  const status = responses[0]?.status ?? 0
  if (responses.length !== 1 || status < 400 || status > 499 || !closed || rest !== '') {
    throw new Error(`${JSON.stringify(text)}: ${JSON.stringify({ responses, closed, rest })}`)
  }
}

async function isSurvived(balancer: RunningBalancer, bytes: Buffer): Promise<void> {
  const { responses, rest } = await talk(balancer.url, bytes, { responses: 0 })
  if (
    rest !== '' ||
    responses.some(({ status }) => ![100, 200, 400, 405, 408, 413, 414, 417, 431, 501].includes(status))
  ) {
    throw new Error(`${JSON.stringify(bytes.toString('latin1'))}: ${JSON.stringify({ responses, rest })}`)
  }
}

/**
 * Sends malformed requests. Each must get exactly one protocol error, and must do no harm when its client disconnects
 * early.
 */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  const connections = 2 * Math.ceil(runs / 20)
  let asked = 0
  await using balancer = await startBalancer(() => {
    asked++
    return ok
  })
  const parameters = seed === undefined ? {} : { seed }
  const costs = caseCosts()
  await costs.inHalves(half =>
    fc.assert(
      fc.asyncProperty(malformed, text =>
        costs.hold(
          () => text,
          () => isRefused(balancer, text),
        ),
      ),
      { numRuns: connections / 2, ...(seed === undefined ? {} : { seed: seed + half }) },
    ),
  )
  if (asked > 0) throw new Error(`The function was asked ${asked} times`)
  await fc.assert(
    fc.asyncProperty(damaged, bytes =>
      costs.hold(
        () => bytes.toString('latin1'),
        () => isSurvived(balancer, bytes),
      ),
    ),
    { numRuns: Math.ceil(connections / 10), ...parameters },
  )
  const left = await areLeft(balancer, Math.ceil(connections / 10))
  const { responses } = await talk(balancer.url, `GET / HTTP/1.1\r\nHost: a${end}`)
  if (responses[0]?.status !== 200) throw new Error('The load balancer does not answer any more')
  return `${connections} malformed requests, each refused; ${left} conversations, each left at another byte; ${costs.figures()}`
}
