import fc from 'fast-check'
import { mailListener } from '../../../testing/mail-listener.ts'
import { smtpDialogue, smtpReplies } from '../../../testing/smtp-dialogue.ts'

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
  { weight: 1, arbitrary: odd.map(text => Buffer.from(text.repeat(20))) },
)
const lineEnd = fc.oneof({ weight: 12, arbitrary: fc.constant('\r\n') }, fc.constantFrom('\n', '\r', ''))

/** What a client says on one connection, and the places at which the network cuts it. */
const dialogues = fc.record({
  opening: fc.constantFrom(0, 1, 3, 6),
  lines: fc.array(fc.tuple(line, lineEnd), { minLength: 1, maxLength: 25 }),
  cuts: fc.array(fc.nat(600), { maxLength: 3 }),
})
const openings = ['EHLO client', 'MAIL FROM:<>', 'RCPT TO:<ann@office.example>', 'DATA', 'Hello', '.']

/** Every reply that there is: what else comes is not meant to. */
const codes = [214, 220, 250, 221, 252, 354, 421, 451, 452, 500, 501, 502, 503, 552, 553, 554, 555, 550]

/** Clients that break the protocol: each is told so, no mail is lost or made up, and the server goes on. */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  const connections = Math.ceil(runs / 10)
  await using box = await mailListener({ settings: { sizeLimit: 400 } })
  let stored = 0
  const talk = async ({
    opening,
    lines,
    cuts,
  }: typeof dialogues extends fc.Arbitrary<infer D> ? D : never) => {
    const said = Buffer.concat([
      ...openings.slice(0, opening).map(text => Buffer.from(`${text}\r\n`)),
      ...lines.flatMap(([text, end]) => [text, Buffer.from(end)]),
    ])
    await using client = await smtpDialogue(box.url)
    let from = 0
    for (const to of [...cuts.sort((a, b) => a - b), said.length]) {
      if (to <= from) continue
      client.send(said.subarray(from, to))
      from = to
      await new Promise(resolve => setImmediate(resolve))
    }
    // Throws for anything that is no reply.
    const replies = await client.finish()
    const wrong = replies.find(
      ({ code, text }) => !codes.includes(code) || /\p{Cc}/u.test(text.replaceAll('\n', '')),
    )
    if (wrong !== undefined || (replies.length === 0 && said.length > 0))
      throw new Error(JSON.stringify(replies))
    stored += replies.filter(({ text }) => text.startsWith('2.0.0 Stored as ')).length
  }
  const parameters = seed === undefined ? {} : { seed }
  await fc.assert(fc.asyncProperty(dialogues, talk), { numRuns: connections, ...parameters })
  if (box.mails.length !== stored)
    throw new Error(`${box.mails.length} mails, of which ${stored} were confirmed`)
  const last = await smtpReplies(box.url, 'EHLO client', 'NOOP')
  if (last.at(-1) !== '250 2.0.0 OK') throw new Error('The server does not go on')
  return `${connections} malformed dialogues, each answered; ${stored} mails in them`
}
