import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createPlatform } from '@signalbox/platform'
import { caseCosts } from '@signalbox/platform-runtime/testing/case-costs'
import { fastestFolder, temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { hostileTexts } from '@signalbox/telemetry/testing/hostile-texts'
import fc from 'fast-check'

const ok = { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false, headers: {}, body: 'ok' }
const head = (...lines: readonly string[]) =>
  `${['POST / HTTP/1.1', 'Host: localhost', ...lines].join('\r\n')}\r\n\r\n`
const post = (body: string, ...lines: readonly string[]) =>
  head(`Content-Length: ${Buffer.byteLength(body)}`, ...lines) + body
const get = (path: string, ...lines: readonly string[]) => head(...lines).replace('POST /', `GET ${path}`)
const send = (message: string) =>
  post(
    JSON.stringify({ QueueUrl: 'http://localhost/0/there', MessageBody: message }),
    'Content-Type: application/x-amz-json-1.0',
    'X-Amz-Target: AmazonSQS.SendMessage',
  )
const mail = (text: string, recipients = '<ann@office.example>') =>
  `EHLO client\r\nMAIL FROM:<>\r\nRCPT TO:${recipients}\r\nDATA\r\n${text}\r\n.\r\nQUIT\r\n`

/** Conversations of clients with every HTTP listener. */
const conversations = [
  get('/mail/none') + get('/a?b=c') + post('abc'),
  `${head('Transfer-Encoding: chunked', 'Trailer: t')}3\r\nabc\r\n0\r\nt: u\r\n\r\n`,
  head('Expect: 100-continue', 'Content-Length: 3'),
  `CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\nwhat follows`,
  `${get('/', 'Upgrade: h2c', 'Connection: upgrade')}what follows`,
  `${get('/', 'Upgrade: websocket', 'Connection: upgrade')}what follows`,
  send('Hello'),
  post('Action=SendMessage&MessageBody=a', 'Content-Type: application/x-www-form-urlencoded'),
  'GET / RTSP/1.0\r\nHost: localhost\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
]
const mailConversations = [
  mail('A: b\r\n\r\n..'),
  'EHLO client\r\nNOOP\r\nRSET\r\nVRFY a\r\nHELP\r\n',
  get('/'),
]

/** Requests that contain a string that is slow to search. The string is a key, a value, a header or a path. */
const hostile: readonly ((text: string) => string)[] = [
  text => post(JSON.stringify({ [text]: 1, password: 'x' })),
  text => post(JSON.stringify({ password: 'x', text }), 'Content-Type: application/json'),
  text => post(text, 'Content-Type: text/plain'),
  text =>
    post(
      `password=x&${encodeURIComponent(text)}=${encodeURIComponent(text)}`,
      'Content-Type: application/x-www-form-urlencoded',
    ),
  text => get('/', `Authorization: Bearer ${line(text)}`, `X-A: ${line(text)}`),
  text => get(`/${encodeURIComponent(text).slice(0, 8000)}?${encodeURIComponent(text).slice(0, 4000)}`),
  text => send(text),
]
const hostileMails: readonly ((text: string) => string)[] = [
  text => mail(`Subject: ${line(text).slice(0, 900)}\r\nFrom: ${line(text).slice(0, 900)}\r\n\r\nHello`),
  text => mail('A: b', `<${line(text).slice(0, 400)}@office.example>`),
]

function line(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 8000)
}

const text = fc
  .tuple(fc.constantFrom(...Object.keys(hostileTexts)), fc.integer({ min: 1, max: 100_000 }))
  .map(([name, size]) => hostileTexts[name]!(size))

const cases = fc.record({
  listener: fc.nat(3),
  /** Selects the conversation. */
  number: fc.nat(),
  /** Selects the length of the part that is sent, if `times` is 1 and there is no `text`. */
  length: fc.nat(),
  text: fc.option(text, { freq: 30 }),
  /** The number of times that the whole conversation is sent. */
  times: fc.oneof({ weight: 20, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 200 })),
  ending: fc.constantFrom<'reset' | 'half-close' | 'close' | 'deaf'>('reset', 'half-close', 'close', 'deaf'),
  wait: fc.constantFrom(0, 0, 0, 1),
  address: fc.tuple(fc.integer({ min: 1, max: 250 }), fc.integer({ min: 1, max: 250 })),
})

/**
 * Attacks every listener of a platform: with keys and values that are slow to search, with pipelined requests
 * whose answers are not read, and with conversations that break off after any byte. The process must survive,
 * no case may take long, and no memory may leak.
 */
export async function fuzz(runs: number, seed: number): Promise<string> {
  using folder = temporaryFolder(fastestFolder)
  const platform = createPlatform({
    functions: { shop: { handler: async () => ok } },
    loadBalancers: { web: { port: 0, function: 'shop' } },
    queues: { there: { retentionPeriod: 60 } },
    queueListener: { port: 0 },
    mail: { port: 0, domains: { 'office.example': { to: 'mailboxes' } }, maxRefusedRecipients: 1_000_000 },
    control: { port: 0 },
    dataDir: folder.path,
    grace: 1,
  })
  const addresses = await platform.start()
  const urlOf = (name: string) => new URL(addresses.find(({ source }) => source.startsWith(name))!.url)
  const urls = [urlOf('load balancer'), urlOf('queues'), urlOf('control'), urlOf('mail')]
  const costs = caseCosts()

  const run = async (each: typeof cases extends fc.Arbitrary<infer C> ? C : never) => {
    const { listener, number, length, times, ending, wait } = each
    const isMail = listener === 3
    const all =
      each.text === null ? (isMail ? mailConversations : conversations) : isMail ? hostileMails : hostile
    const chosen = all[number % all.length]!
    const whole = typeof chosen === 'string' ? chosen : chosen(each.text!)
    const isCut = times === 1 && each.text === null
    const said = isCut
      ? whole.slice(0, 1 + (length % whole.length))
      : whole.repeat(each.text === null ? times : 1)
    const { hostname, port } = urls[listener]!
    const localAddress = process.platform === 'linux' ? `127.0.${each.address.join('.')}` : undefined
    const socket = connect({
      host: hostname,
      port: Number(port),
      allowHalfOpen: true,
      ...(localAddress && { localAddress }),
    })
    socket.on('error', () => {}).setNoDelay()
    const closed = once(socket, 'close')
    await once(socket, 'connect')
    if (ending !== 'deaf') socket.resume()
    socket.write(said, 'latin1')
    await (wait > 0 || each.text !== null ? delay(wait) : new Promise(resolve => setImmediate(resolve)))
    if (ending === 'close') socket.destroy()
    else if (ending === 'half-close') socket.end()
    else socket.resetAndDestroy()
    // After a client has half-closed the connection, the server may wait for more data. Only a server timeout ends
    // that wait.
    await Promise.race([closed, delay(20, undefined, { ref: false })])
    socket.destroy()
  }

  try {
    await costs.inHalves(half =>
      fc.assert(
        fc.asyncProperty(cases, each =>
          costs.hold(
            () => JSON.stringify(each).slice(0, 2000),
            () => run(each),
          ),
        ),
        { numRuns: Math.ceil(runs / 2), seed: seed + half },
      ),
    )
    const answers = await Promise.all(
      urls.slice(0, 3).map(async url => (await fetch(new URL('/mail/none', url))).status),
    )
    if (answers.join() !== '200,404,404') throw new Error(`The listeners answer ${answers.join()}`)
  } finally {
    await platform.stop()
  }
  return `${runs} cases at every listener, ${costs.figures()}`
}
