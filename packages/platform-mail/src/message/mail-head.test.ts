import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { mailHead } from './mail-head.ts'

const head = (...lines: readonly string[]) =>
  mailHead(Buffer.from([...lines, '', 'Subject: body'].join('\r\n')))

it.each([
  ['From: Ann <ann@far.example>', 'ann@far.example'],
  ['From: ann@far.example', 'ann@far.example'],
  ['From:ann@far.example', 'ann@far.example'],
  ['From:\r\n ann@far.example', 'ann@far.example'],
  ['From : "ann lee, staff"@far.example', '"ann lee, staff"@far.example'],
  ['From: ann@[IPv6:2001:db8::1]', 'ann@[IPv6:2001:db8::1]'],
  ['FROM:\r\n "Lee, Ann"\r\n <ann@far.example>', 'ann@far.example'],
  ['From: =?utf-8?q?D=C3=B6rte?= <doerte@far.example>', 'doerte@far.example'],
  ['From: Dörte <dörte@bücher.example>', 'dörte@bücher.example'],
  ['From: ann@far.example, bob@far.example', 'ann@far.example'],
  ['From: Staff: ann@far.example, bob@far.example;', 'ann@far.example'],
  ['From: first@far.example\r\nFrom: second@far.example', 'first@far.example'],
  ['From: Ann (of (some) <eve@far.example>) <ann@far.example>', 'ann@far.example'],
  ['From: (to: (eve@far.example)) ann@far.example', 'ann@far.example'],
  ['From: ann@far.example (Ann (a (b) c))', 'ann@far.example'],
  ['From: "eve@far.example" <ann@far.example>', 'ann@far.example'],
  ['From: Ann <"ann lee"@far.example>', '"ann lee"@far.example'],
  ['From: =?utf-8?q?eve=40far=2Eexample?=', ''],
  ['From: =?utf-8?q?eve=40far=2Eexample?= <ann@far.example>', 'ann@far.example'],
  ['From: =?utf-8?q?eve=40far=2Eexample=3E?= <ann@far.example>', 'ann@far.example'],
  ['From: =?utf-8?q?eve?=@far.example', ''],
  ['From: <=?utf-8?b?ZXZl?=@far.example>, eve@far.example', ''],
  ['From: Ann', ''],
  ['Sender: ann@far.example', ''],
  ['From:', ''],
])('sender of %j: %j', async (lines, sender) => {
  expect(await head(lines)).toMatchObject({ sender })
})

it.each([
  ['Subject: Hello', 'Hello'],
  ['subject:Hello', 'Hello'],
  ['Subject: =?utf-8?b?R3LDvMOfZQ==?= =?utf-8?q?_aus?=\r\n =?iso-8859-1?q?_K=F6ln?=', 'Grüße aus Köln'],
  ['Subject: Grüße', 'Grüße'],
  ['Subject: one\r\n two', 'one two'],
  ['Subject: first\r\nSubject: second', 'first'],
  ['Subject: =?utf-8?q?a=0D=0ABcc:_eve=00=1B[2J?=', 'a Bcc: eve [2J'],
  ['Subject:', ''],
  ['X: y', ''],
])('subject of %j: %j', async (lines, subject) => {
  expect(await head(lines)).toMatchObject({ subject })
})

it('knows what a filter upstream says about spam', async () => {
  expect(await head('X-Spam-Flag: YES')).toMatchObject({ flaggedAsSpam: true })
  expect(await head('x-spam-flag:yes ')).toMatchObject({ flaggedAsSpam: true })
  expect(await head('X-Spam-Flag: NO')).toMatchObject({ flaggedAsSpam: false })
  expect(await head('X-Spam-Status: YES')).toMatchObject({ flaggedAsSpam: false })
})

it('counts the servers that had the mail', async () => {
  expect(await head('Received: a', 'Received: b', 'Subject: x')).toMatchObject({ hops: 2 })
})

it('has an answer for any bytes, without a line end in it', async () => {
  const nasty = fc.constantFrom(
    'From:',
    'Subject:',
    '=?utf-8?q?',
    '?=',
    '=0A',
    '\r\n',
    '\0',
    '<',
    '>',
    ',',
    '"',
    ' ',
  )
  const raw = fc
    .array(fc.oneof(nasty, fc.string({ maxLength: 9 }), fc.uint8Array({ maxLength: 9 })), { maxLength: 40 })
    .map(pieces => Buffer.concat(pieces.map(piece => Buffer.from(piece as string))))
  await fc.assert(
    fc.asyncProperty(raw, async bytes => {
      const { sender, subject } = await mailHead(bytes)
      expect(/\p{Cc}/u.test(sender + subject)).toBe(false)
    }),
    { numRuns: 500 },
  )
})

it.each(['(', '<', '"', 'a@b.example,', '\\\\', '=?', '=?a?q?', 'a:', ' ', '(a)', '<a@b>'])(
  'reads a From header of many %j',
  async text => {
    expect(await head(`From: ${text.repeat(64_000)}`, 'Subject: x')).toMatchObject({ subject: 'x' })
  },
)

it('reads heads of megabytes in no time', async () => {
  const headers = [
    `From: ${'a,'.repeat(500_000)}`,
    `Subject: ${'=?utf-8?q?=C3=B6?= '.repeat(50_000)}`,
    ...Array.from({ length: 100_000 }, (_, index) => `X-${index}: y`),
  ]
  expect(await head(...headers)).toMatchObject({ subject: expect.stringMatching(/^ö+/) })
})
