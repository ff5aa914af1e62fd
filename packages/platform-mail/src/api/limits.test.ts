import { expect, it } from '@jest/globals'
import { anyMail, mailListener, opening } from '../testing/mail-listener.ts'
import { smtpDialogue, smtpReplies } from '../testing/smtp-dialogue.ts'

const tooBig = '552 5.3.4 Mail too large: at most 1000 bytes'

it('a mail at the size limit is accepted, and a mail that is one byte larger gets 552 5.3.4 (RFC 1870)', async () => {
  await using setup = await mailListener({ settings: { maxSize: 1000 } })
  // The line end of the last line counts, too.
  const replies = await smtpReplies(setup.url, ...opening, 'x'.repeat(998), '.')
  expect(replies.at(-1)).toBe('250 2.0.0 Stored as mail-1')
  const more = await smtpReplies(setup.url, ...opening, 'x'.repeat(999), '.', 'NOOP')
  expect(more.slice(-2)).toEqual([tooBig, '250 2.0.0 OK'])
  expect(setup.mails).toHaveLength(1)
})

it('dots that the protocol adds do not count towards the size of a mail (RFC 1870)', async () => {
  await using setup = await mailListener({ settings: { maxSize: 1000 } })
  const replies = await smtpReplies(setup.url, ...opening, ...Array.from({ length: 333 }, () => '..'), '.')
  expect(replies.at(-1)).toBe('250 2.0.0 Stored as mail-1')
})

it('a client that sends far more than the size limit is disconnected with 552 5.3.4', async () => {
  await using setup = await mailListener({ settings: { maxSize: 1000 }, bounds: { excess: 5000 } })
  await using client = await setup.ready()
  client.send('x'.repeat(6001))
  expect(await client.next()).toEqual({ code: 552, text: tooBig.slice(4) })
  expect(await client.next()).toBeUndefined()
})

it('a mail is refused with 452 4.3.1 while other mails use up the memory limit', async () => {
  await using setup = await mailListener({ bounds: { memory: 10_000 } })
  await using first = await setup.ready()
  await using second = await setup.ready()
  const half = `${'x'.repeat(5998)}\r\n`
  first.send(half)
  // When this command is answered, all earlier bytes have arrived.
  await smtpReplies(setup.url, 'NOOP')
  second.send(`${half}.\r\n`)
  expect(await second.next()).toMatchObject({ code: 452, text: expect.stringContaining('4.3.1 Too many') })
  first.send('.\r\n')
  expect(await first.next()).toMatchObject({ code: 250 })
  const third = await setup.ready()
  third.send(half)
  third.socket.destroy()
  await smtpReplies(setup.url, 'NOOP')
  expect((await smtpReplies(setup.url, ...opening, half, '.')).at(-1)).toBe('250 2.0.0 Stored as mail-2')
})

it('a mail releases its memory as soon as it exceeds the size limit', async () => {
  await using setup = await mailListener({ settings: { maxSize: 5000 }, bounds: { memory: 8000 } })
  await using first = await setup.ready()
  await using second = await setup.ready()
  const almost = `${'x'.repeat(4500)}\r\n`
  first.send(almost)
  await smtpReplies(setup.url, 'NOOP')
  first.send(almost)
  await smtpReplies(setup.url, 'NOOP')
  second.send(`${almost}.\r\n`)
  expect(await second.next()).toMatchObject({ code: 250 })
  first.send('.\r\n')
  expect(await first.next()).toMatchObject({ code: 552 })
})

it('recipients above the limit are refused with 452 4.5.3, and the accepted recipients get the mail (RFC 5321, 4.5.3.1.10)', async () => {
  await using setup = await mailListener({ settings: { maxRecipients: 3 } })
  const to = ['a', 'b', 'c', 'a', 'd', 'b'].map(name => `RCPT TO:<${name}@office.example>`)
  const replies = await smtpReplies(setup.url, 'EHLO client', 'MAIL FROM:<>', ...to, 'DATA', '.')
  expect(replies.map(reply => reply.slice(0, 9))).toEqual([
    ...[
      '250 box.e',
      '250 2.1.0',
      '250 2.1.5',
      '250 2.1.5',
      '250 2.1.5',
      '250 2.1.5',
      '452 4.5.3',
      '250 2.1.5',
    ],
    ...['354 End d', '250 2.0.0'],
  ])
  expect(setup.mails[0]!.recipients).toEqual(['a@office.example', 'b@office.example', 'c@office.example'])
})

it.each([
  ['sync', 'OUTBOUND', 'is refused', '452 4.5.3 Too many recipients in other domains: at most 500'],
  ['async', 'OUTBOUND', 'is accepted', '250 2.1.5 Recipient accepted'],
  ['sync', 'INBOUND', 'is accepted', '250 2.1.5 Recipient accepted'],
] as const)(
  'with the mode "%s" in the mail rule for the direction "%s", the 501st outbound recipient %s',
  async (mode, direction, _result, reply) => {
    const rule = anyMail({ direction, mode, functionName: 'sort', timeout: 0, fallback: 'DEFAULT' })
    await using setup = await mailListener({
      settings: { maxRecipients: 1000, relay: 'keep', rules: [rule] },
    })
    const to = (name: string) => `RCPT TO:<${name}>`
    const many = Array.from({ length: 500 }, (_, number) => to(`${number}@far.example`))
    const more = [to('bob@office.example'), to('500@far.example'), to('499@far.example')]
    const replies = await smtpReplies(
      ...[setup.url, 'EHLO client', 'MAIL FROM:<>', ...many, ...more, 'DATA', '.'],
    )
    const accepted = '250 2.1.5 Recipient accepted'
    expect(replies.slice(2, -2)).toEqual([...many.map(() => accepted), accepted, reply, accepted])
    expect(setup.mails[0]!.recipients).toHaveLength(reply === accepted ? 502 : 501)
  },
)

it.each([
  ['with a line end', `NOOP ${'x'.repeat(3000)}\r\nNOOP\r\n`],
  ['without a line end', 'x'.repeat(3000)],
])('an overlong command line %s gets 500 5.5.6, and the connection is closed', async (_kind, said) => {
  await using setup = await mailListener()
  await using client = await smtpDialogue(setup.url)
  client.send(said)
  expect(await client.next()).toEqual({ code: 500, text: '5.5.6 Line too long' })
  expect(await client.next()).toBeUndefined()
})

it('a mail can have very long lines and very many lines', async () => {
  await using setup = await mailListener()
  const data = `${'x'.repeat(500_000)}\r\n${'\r\n'.repeat(200_000)}`
  expect((await smtpReplies(setup.url, ...opening, data, '.')).at(-1)).toBe('250 2.0.0 Stored as mail-1')
})

it('connections above the limit are refused with 421 4.3.2', async () => {
  await using setup = await mailListener({ settings: { maxConnections: 2, maxConnectionsPerAddress: 3 } })
  await using first = await smtpDialogue(setup.url)
  await using second = await smtpDialogue(setup.url)
  await using third = await smtpDialogue(setup.url, false)
  expect(await third.next()).toEqual({
    code: 421,
    text: '4.3.2 Too many connections, try again later',
  })
  expect(await third.next()).toBeUndefined()
  expect(await second.say('NOOP')).toBe('250 2.0.0 OK')
  await first.say('QUIT')
  await using fourth = await smtpDialogue(setup.url)
  expect(await fourth.say('NOOP')).toBe('250 2.0.0 OK')
})

it('a silent client is disconnected with 421 4.4.2, between commands and within a mail (RFC 5321, 4.5.3.2)', async () => {
  // The idle limit is long enough for a busy machine to send everything in time.
  await using setup = await mailListener({ bounds: { idle: 400 } })
  await using silent = await smtpDialogue(setup.url)
  await using slow = await setup.ready()
  slow.send('Subject: Hi\r\n')
  for (const client of [silent, slow]) {
    expect(await client.next()).toEqual({ code: 421, text: '4.4.2 Timeout, closing the connection' })
    expect(await client.next()).toBeUndefined()
  }
})

it('a client is not disconnected while its mail is being stored', async () => {
  const accept = () => new Promise<void>(resolve => setTimeout(resolve, 900))
  await using setup = await mailListener({ accept, bounds: { idle: 400 } })
  expect((await smtpReplies(setup.url, ...opening, '.')).at(-1)).toBe('250 2.0.0 Stored as mail-1')
})

it('a mail whose transfer takes too long gets 421 4.4.2, and its memory is freed', async () => {
  await using setup = await mailListener({ bounds: { memory: 10_000 } })
  await using first = await setup.ready()
  const half = `${'x'.repeat(5998)}\r\n`
  first.send(half)
  await smtpReplies(setup.url, 'NOOP')
  await setup.clock.advance(60 * 60_000 - 1)
  first.send('x')
  expect((await smtpReplies(setup.url, ...opening, half, '.')).at(-1)).toMatch(/^452 4\.3\.1 /)
  await setup.clock.advance(1)
  expect(await first.next()).toEqual({ code: 421, text: '4.4.2 Mail transfer takes too long' })
  expect(await first.next()).toBeUndefined()
  first.send('\r\n.\r\n')
  expect((await smtpReplies(setup.url, ...opening, half, '.')).at(-1)).toBe('250 2.0.0 Stored as mail-1')
})
