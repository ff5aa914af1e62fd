import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import { caseCosts } from '@signalbox/platform-runtime/testing/case-costs'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import fc from 'fast-check'
import { type Break, breakingNetwork, breakOff } from '../testing/breaking-network.ts'
import { mailListener } from '../testing/mail-listener.ts'
import { smtpDialogue, smtpReplies } from '../testing/smtp-dialogue.ts'

const good = [
  'EHLO client.example',
  'HELO client',
  'MAIL FROM:<ann@far.example>',
  'MAIL FROM:<dörte@far.example> SMTPUTF8 SIZE=100 BODY=8BITMIME',
  'MAIL FROM:<>',
  'RCPT TO:<bob@office.example>',
  'RCPT TO:<Postmaster>',
  'RCPT TO:<"a b"@office.example>',
  'DATA',
  'Subject: Hi\r\n\r\nHello',
  '.',
  'RSET',
  'NOOP',
  'VRFY bob',
  'HELP',
  'STARTTLS',
]

const odd = fc.constantFrom(
  ...[
    '\0',
    '\r',
    '\n',
    '\r\n',
    '\x1b[2J',
    ' ',
    '<',
    '>',
    '"',
    '\\',
    '@',
    ':',
    ',',
    '=',
    '%',
    '\u0085',
    '\ufeff',
  ],
  ...['.', '..', '\n.\n', '\r\n.\r\n', '\r.\r', 'é', 'x'.repeat(300), '\ud800', '+0D+0A', '()', 'QUIT'],
)
/** Values that take quadratic time in careless code, or that pass a careless check. */
const hostile = fc
  .tuple(
    fc.constantFrom(
      'EHLO ',
      'VRFY ',
      'MAIL FROM:<',
      'RCPT TO:<',
      'RCPT TO:<"',
      'MAIL FROM:<> ',
      'MAIL FROM:<> SIZE=',
    ),
    fc.constantFrom(
      '"',
      '\\"',
      '\\',
      '<',
      '>',
      ' ',
      '@',
      'a@',
      '.',
      'A=',
      'A=B ',
      '= ',
      '[',
      '。',
      '\u0301',
      '=?',
      'xn--',
    ),
    fc.constantFrom('', '>', '">', '@office.example>', '"@office.example>', ' SMTPUTF8', '> BODY=8BITMIME'),
  )
  .map(([start, middle, end]) => Buffer.from(start + middle.repeat(1900 / Buffer.byteLength(middle)) + end))
const noise = fc.uint8Array({ maxLength: 60 }).map(bytes => Buffer.from(bytes))
const line = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...good).map(text => Buffer.from(text)) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...good), fc.nat(60), fc.nat(5), odd)
      .map(([text, at, gone, put]) => Buffer.from(text.slice(0, at) + put + text.slice(at + gone))),
  },
  { weight: 1, arbitrary: noise },
  { weight: 1, arbitrary: hostile },
  // Commands that are sent all at once, without waiting for replies.
  { weight: 1, arbitrary: fc.constantFrom(...good).map(text => Buffer.from(`${text}\r\n`.repeat(120))) },
  { weight: 1, arbitrary: odd.map(text => Buffer.from(text.repeat(20))) },
)
const lineEnd = fc.oneof({ weight: 12, arbitrary: fc.constant('\r\n') }, fc.constantFrom('\n', '\r', ''))

/** The data that a client sends on one connection, and the positions at which the network splits it. */
const dialogues = fc.record({
  opening: fc.constantFrom(0, 1, 3, 6),
  lines: fc.array(fc.tuple(line, lineEnd), { minLength: 1, maxLength: 25 }),
  cuts: fc.array(fc.nat(600), { maxLength: 3 }),
  /** Most clients read all replies. */
  ending: fc.constantFrom<(Break | 'listen')[]>('listen', 'listen', 'listen', 'reset', 'half-close', 'close'),
})
const openings = ['EHLO client', 'MAIL FROM:<>', 'RCPT TO:<ann@office.example>', 'DATA', 'Hello', '.']

/** All reply codes that the server uses. */
const codes = [214, 220, 250, 221, 252, 354, 421, 451, 452, 500, 501, 502, 503, 552, 553, 554, 555, 550]

/**
 * Runs clients that break the protocol or disconnect. Checks that each client that reads gets its replies, that no mail
 * is lost or invented, and that the server survives.
 */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  const connections = Math.ceil(runs / 10)
  await using setup = await mailListener({ settings: { maxSize: 400 } })
  let stored = 0
  let unheard = 0
  let storedBefore = 0
  const talk = async ({
    opening,
    lines,
    cuts,
    ending,
  }: typeof dialogues extends fc.Arbitrary<infer D> ? D : never) => {
    const said = Buffer.concat([
      ...openings.slice(0, opening).map(text => Buffer.from(`${text}\r\n`)),
      ...lines.flatMap(([text, end]) => [text, Buffer.from(end)]),
    ])
    await using client = await smtpDialogue(setup.url)
    let from = 0
    for (const to of [...cuts.sort((a, b) => a - b), said.length]) {
      if (to <= from) continue
      client.send(said.subarray(from, to))
      from = to
      await new Promise(resolve => setImmediate(resolve))
    }
    if (ending !== 'listen') {
      unheard += lines.length
      return breakOff(client.socket, ending)
    }
    // finish() rejects if the server sends text that is not a reply.
    const replies = await client.finish()
    const wrong = replies.find(
      ({ code, text }) => !codes.includes(code) || /\p{Cc}/u.test(text.replaceAll('\n', '')),
    )
    if (wrong !== undefined || (replies.length === 0 && said.length > 0))
      throw new Error(JSON.stringify(replies))
    stored += replies.filter(({ text }) => text.startsWith('2.0.0 Stored as ')).length
  }
  const costs = caseCosts()
  await costs.inHalves(async half => {
    await fc.assert(
      fc.asyncProperty(dialogues, each =>
        costs.hold(
          () => JSON.stringify(each),
          () => talk(each),
        ),
      ),
      { numRuns: Math.ceil(connections / 2), ...(seed === undefined ? {} : { seed: seed + half }) },
    )
    // The setup keeps all mails in memory, so count them and then drop them.
    storedBefore += setup.mails.splice(0).length
  })
  const cuts = await breakEverywhere(setup.url, runs)
  const all = storedBefore + setup.mails.length
  if (all < stored || all > stored + unheard + cuts)
    throw new Error(`${all} mails are stored, but ${stored} were confirmed`)
  const last = await smtpReplies(setup.url, 'EHLO client', 'NOOP')
  if (last.at(-1) !== '250 2.0.0 OK') throw new Error('The server does not go on')
  return `${connections} malformed dialogues, each answered; ${stored} mails in them; ${cuts} broken off; ${costs.figures()}`
}

const conversation = Buffer.from(
  [
    'EHLO client',
    'MAIL FROM:<>',
    'RCPT TO:<ann@office.example>',
    'DATA',
    'A: b',
    '',
    '..',
    '.',
    'QUIT',
    '',
  ].join('\r\n'),
)
const breaks: readonly Break[] = ['reset', 'half-close', 'close']

/**
 * Breaks a connection in each possible way after each byte of a conversation, and connections over TLS after some
 * bytes. Returns the number of broken connections.
 */
async function breakEverywhere(url: string, runs: number): Promise<number> {
  let count = 0
  for (const how of breaks)
    for (let length = 0; length <= conversation.length; length++) {
      await using client = await smtpDialogue(url, length % 2 === 0)
      client.send(conversation.subarray(0, length))
      await new Promise(resolve => setImmediate(resolve))
      breakOff(client.socket, how)
      count++
    }
  await using secure = await mailListener({ settings: { tls: certificateFiles } })
  // The handshake and the mail together have fewer bytes than this limit.
  for (let at = 1; at <= 1500; at += runs < 10_000 ? 37 : 1) {
    await breakWithinTls(secure.url, at, breaks[at % 3]!, at % 2 === 0)
    count++
  }
  const last = await smtpReplies(secure.url, 'EHLO client', 'NOOP')
  if (last.at(-1) !== '250 2.0.0 OK') throw new Error('The server does not go on after broken handshakes')
  return count
}

const certificateFiles = { cert: Buffer.from(certificate.cert), key: Buffer.from(certificate.key) }

async function breakWithinTls(url: string, at: number, how: Break, injects: boolean): Promise<void> {
  await using network = await breakingNetwork(url, at, how)
  const client = await smtpDialogue(`smtp://127.0.0.1:${network.port}`, false)
  const over = once(client.socket, 'close')
  // Plain text in the same packet as STARTTLS must be ignored.
  const along = injects ? 'MAIL FROM:<evil@far.example>\r\n' : ''
  for (const line of ['EHLO client', `STARTTLS${along && '\r\n'}${along.trimEnd()}`])
    if ((await client.say(line)) === undefined) break
  client.socket.removeAllListeners('data')
  const inside = connectTls({ socket: client.socket, rejectUnauthorized: false })
  inside.on('error', () => {})
  inside.once('secureConnect', () => inside.write(conversation))
  inside.resume()
  if (!client.socket.destroyed) await over
  inside.destroy()
}
