import { expect, it } from '@jest/globals'
import { encodeWordBytes } from '@signalbox/mail-flow/contract'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { headerBlock } from './header-lines.ts'
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
])('the sender of %j is %j', (lines, sender) => {
  expect(head(lines)).toMatchObject({ sender })
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
])('the subject of %j is %j', (lines, subject) => {
  expect(head(lines)).toMatchObject({ subject })
})

it('mailHead() reads the spam flag that an earlier filter set', () => {
  expect(head('X-Spam-Flag: YES')).toMatchObject({ flaggedAsSpam: true })
  expect(head('x-spam-flag:yes ')).toMatchObject({ flaggedAsSpam: true })
  expect(head('X-Spam-Flag: NO')).toMatchObject({ flaggedAsSpam: false })
  expect(head('X-Spam-Status: YES')).toMatchObject({ flaggedAsSpam: false })
})

it('mailHead() counts the servers that a mail has passed through', () => {
  expect(head('Received: a', 'Received: b', 'Subject: x')).toMatchObject({ hops: 2 })
})

it.each([
  ['=?iso-8859-1?Q?Fr\xf6sche_=FC?=', 'Frösche ü'],
  ['=?utf-8?q?Fr\xc3\xb6sche?= Fr\xc3\xb6sche', 'Frösche Frösche'],
  ['=?koi8-r?q?\xf0\xd2\xc9?=', 'При'],
])('mailHead() decodes raw bytes within an encoded word by its charset: %j', (subject, expected) => {
  expect(mailHead(Buffer.from(`Subject: ${subject}\r\n\r\n`, 'latin1')).subject).toBe(expected)
})

it('mailHead() reads any subject in the same way as postal-mime', async () => {
  const piece = fc.constantFrom(
    ...['=?utf-8?q?', '=?UTF-8?B?', '=?iso-8859-1*de?Q?', '=?koi8-r?b?', '=?x?y?', '?=', '=?', '=', '?', '_'],
    ...[
      '=C3',
      '=B6',
      '=f6',
      'w7',
      'bW',
      'Y=',
      '\r\n ',
      '\r\n\t',
      '\n ',
      '\r',
      ' ',
      '\t',
      ':',
      '\0',
      '\ufeff',
    ],
    ...['\u00a0', '\u2028'],
  )
  const subject = fc
    .array(fc.oneof({ weight: 3, arbitrary: piece }, fc.string({ unit: 'binary' }), fc.uint8Array()), {
      maxLength: 30,
    })
    .map(pieces => Buffer.concat(pieces.map(each => Buffer.from(each as string))))
  await fc.assert(
    fc.asyncProperty(subject, async value => {
      const header = Buffer.concat([Buffer.from('Subject:'), value, Buffer.from('\r\n\r\n')])
      const parsed = (await PostalMime.parse(encodeWordBytes(headerBlock(header)))).subject ?? ''
      const { subject: found } = mailHead(header)
      expect(found).toBe(parsed.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim())
    }),
    { numRuns: 2000 },
  )
})

it('mailHead() never returns a control character, whatever bytes it reads', () => {
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
  fc.assert(
    fc.property(raw, bytes => {
      const { sender, subject } = mailHead(bytes)
      expect(/\p{Cc}/u.test(sender + subject)).toBe(false)
    }),
    { numRuns: 500 },
  )
})

it.each(['(', '<', '"', 'a@b.example,', '\\\\', '=?', '=?a?q?', 'a:', ' ', '(a)', '<a@b>'])(
  'a From header that repeats %j many times is read quickly',
  text => {
    expect(head(`From: ${text.repeat(64_000)}`, 'Subject: x')).toMatchObject({ subject: 'x' })
  },
)

it.each(['\r', '\r\n ', ' ', '=?', '=?a?q?', '=?utf-8?b?R3LDvMOf?= ', '=?utf-8?q?=C3=B6?= '])(
  'a Subject header that repeats %j many times is read quickly',
  text => {
    expect(head(`Subject: ${text.repeat(30_000)}x`, 'From: ann@far.example')).toMatchObject({
      sender: 'ann@far.example',
    })
  },
)

it('mailHead() reads a head of several megabytes in linear time', () => {
  const headers = [
    `From: ${'a,'.repeat(500_000)}`,
    `Subject: ${'=?utf-8?q?=C3=B6?= '.repeat(50_000)}`,
    ...Array.from({ length: 100_000 }, (_, index) => `X-${index}: y`),
  ]
  expect(head(...headers)).toMatchObject({ subject: expect.stringMatching(/^ö+/) })
})
