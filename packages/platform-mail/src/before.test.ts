import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { type MailAnswer, type MailSetupOptions, mailSetup, until } from './testing/mail-setup.ts'
import { offerTestMail } from './testing/offer-mail.ts'
import { type SmtpDialogue, smtpDialogue } from './testing/smtp-dialogue.ts'

const [bob, carol] = ['bob@office.example', 'carol@office.example']
const action = (type: string, more: object = { allRecipients: true }, bounceMessage?: string) => ({
  action: { type, ...(bounceMessage !== undefined && { parameters: { bounceMessage } }) },
  ...more,
})
const toAll = (type: string) => ({ actions: [action(type)] })
const broken = () => {
  throw new Error('broken')
}

/** Starts a platform whose function decides before the reply. */
const beforeSetup = (answer: MailAnswer, { inbound, ...options }: MailSetupOptions = {}) =>
  mailSetup(answer, { inbound: { decide: 'before', ...inbound }, relay: 'keep', ...options })

/** Opens a connection, and sends a mail up to the line before the final dot. */
async function offered(
  { port }: { readonly port: number },
  to: readonly string[] = [bob!],
  { from = 'ann@far.example', id = '<1@far.example>', text = 'Hi!' } = {},
): Promise<SmtpDialogue> {
  const dialogue = await smtpDialogue(`smtp://127.0.0.1:${port}`)
  await dialogue.say('EHLO client.example')
  await dialogue.say(`MAIL FROM:<${from}>`)
  for (const each of to) await dialogue.say(`RCPT TO:<${each}>`)
  await dialogue.say('DATA')
  dialogue.send(`Message-ID: ${id}\r\nSubject: Hello\r\n\r\n${text}\r\n`)
  return dialogue
}

/** Sends a mail. Returns the reply to it. */
async function offer(...mail: Parameters<typeof offered>): Promise<string> {
  await using dialogue = await offered(...mail)
  return (await dialogue.say('.'))!
}

/** Returns a function under test, and the callbacks with which a test makes it respond. */
function waitingFunction() {
  const answers: ((answer: unknown) => void)[] = []
  return { answers, answer: () => new Promise(resolve => answers.push(resolve)) }
}

const idIn = (reply: string) => /^250 2\.0\.0 Stored as (\S+)$/.exec(reply)![1]!

describe('a failing function that decides before the reply', () => {
  it('makes the client send the mail again until the timeout of the rule, and then the fallback applies', async () => {
    await using setup = await beforeSetup(broken, { inbound: { timeout: 10, fallback: 'BOUNCE' } })
    const later = '451 4.3.0 The mail cannot be checked now, try again later'
    expect(await offer(setup)).toBe(later)
    await setup.clock.advance(10 * 60_000 - 1)
    expect(await offer(setup)).toBe(later)
    // Another mail has failures of its own.
    await setup.clock.advance(1)
    expect(await offer(setup, [bob!], { id: '<2@far.example>' })).toBe(later)
    expect(await offer(setup, [bob!, carol!])).toBe(later)
    expect(await offer(setup)).toBe('550 5.3.0 The mail was refused')
    expect(await setup.states()).toEqual([])
    const attempts = (await setup.platform.invocationLog.list()).map(({ attempt }) => attempt)
    expect(attempts.sort()).toEqual([1, 1, 1, 2, 3])
    expect(new Set(setup.events.map(({ invocationId }) => invocationId)).size).toBe(3)
  })

  it('leads to the fallback at once when the timeout is 0', async () => {
    await using setup = await beforeSetup(broken, { inbound: { fallback: 'DROP' } })
    const id = idIn(await offer(setup))
    expect(await setup.recipientReports(id)).toMatchObject({
      [bob!]: {
        state: 'dropped',
        why: 'sort failed once (the function failed with error broken): the fallback, DROP, applies',
      },
    })
  })

  it('has decided when it recovers before the timeout', async () => {
    let answer: MailAnswer = broken
    await using setup = await beforeSetup(event => answer(event), { inbound: { timeout: 10 } })
    await offer(setup)
    answer = () => toAll('MOVE_TO_JUNK')
    await setup.clock.advance(60_000)
    const id = idIn(await offer(setup))
    await setup.calm()
    expect(await setup.inbox(bob!)).toMatchObject([{ id, folder: 'junk' }])
  })

  it('keeps the time of its first failure across a restart', async () => {
    using folder = temporaryFolder()
    const clock = manualClock(1_700_000_000_000)
    const options: MailSetupOptions = {
      clock,
      dataDir: folder.path,
      inbound: { timeout: 10, fallback: 'DROP' },
    }
    const first = await beforeSetup(broken, options)
    expect(await offer(first)).toMatch(/^451/)
    await first[Symbol.asyncDispose]()
    await clock.advance(10 * 60_000)
    await using second = await beforeSetup(broken, options)
    const id = idIn(await offer(second))
    expect((await second.recipientReports(id))[bob!]).toMatchObject({
      state: 'dropped',
      why: expect.stringContaining('sort failed 2 times'),
    })
  })
})

describe('a mail that comes twice', () => {
  it.each(['DEFAULT', 'DROP', 'BOUNCE'])('has one decision and one effect (%s)', async type => {
    using folder = temporaryFolder()
    const first = await beforeSetup(() => toAll(type), { dataDir: folder.path })
    const reply = await offer(first)
    expect(await offer(first)).toBe(reply)
    expect(first.events).toHaveLength(1)
    await first[Symbol.asyncDispose]()
    await using second = await beforeSetup(() => toAll('DEFAULT'), { dataDir: folder.path })
    expect(await offer(second)).toBe(reply)
    await second.calm()
    expect(second.events).toEqual([])
    expect(await second.states()).toHaveLength(type === 'BOUNCE' ? 0 : 1)
    expect(await second.inbox(bob!)).toHaveLength(type === 'DEFAULT' ? 1 : 0)
  })

  it('is another mail if its content or its sender differs', async () => {
    await using setup = await beforeSetup(() => toAll('DEFAULT'))
    for (const more of [{}, { text: 'Ho!' }, { from: 'eve@far.example' }]) await offer(setup, [bob!], more)
    await setup.calm()
    expect(setup.events).toHaveLength(3)
    expect(await setup.inbox(bob!)).toHaveLength(3)
  })

  it('is recognized although the platform has added its date and its id', async () => {
    let answer: MailAnswer = broken
    await using setup = await beforeSetup(event => answer(event), {
      inbound: { timeout: 10, fallback: 'DROP' },
    })
    const send = async () => {
      await using dialogue = await smtpDialogue(`smtp://127.0.0.1:${setup.port}`)
      for (const line of ['EHLO x', 'MAIL FROM:<ann@far.example>', `RCPT TO:<${bob}>`, 'DATA'])
        await dialogue.say(line)
      return await dialogue.say('Subject: Hello\r\n\r\nHi!\r\n.')
    }
    expect(await send()).toMatch(/^451/)
    await setup.clock.advance(11 * 60_000)
    answer = () => toAll('DEFAULT')
    const reply = await send()
    expect(await send()).toBe(reply)
    expect(await setup.states()).toHaveLength(1)
  })

  it('is decided on once and stored once when both come at the same time', async () => {
    const { answers, answer } = waitingFunction()
    await using setup = await beforeSetup(answer)
    const both = [await offered(setup), await offered(setup)]
    for (const dialogue of both) dialogue.send('.\r\n')
    await until(() => answers.length > 0)
    // The other one waits for the same decision. Between two timers the server reads what has come.
    for (let turn = 0; turn < 2; turn++) await new Promise(resolve => setTimeout(resolve, 25))
    answers[0]!(toAll('DEFAULT'))
    const replies = await Promise.all(both.map(async dialogue => String((await dialogue.next())?.code)))
    for (const { socket } of both) socket.destroy()
    expect(answers).toHaveLength(1)
    expect(replies.filter(reply => reply.startsWith('250'))).toHaveLength(1)
    expect(replies.filter(reply => reply.startsWith('451'))).toHaveLength(1)
    expect(await setup.states()).toHaveLength(1)
  })

  it('is stored once after its client has disconnected during the decision', async () => {
    const { answers, answer } = waitingFunction()
    await using setup = await beforeSetup(answer)
    const dialogue = await offered(setup)
    dialogue.send('.\r\n')
    await until(() => answers.length > 0)
    dialogue.socket.destroy()
    answers[0]!(toAll('DEFAULT'))
    while ((await setup.states()).length === 0) await new Promise(resolve => setTimeout(resolve, 5))
    expect(await offer(setup)).toMatch(/^250/)
    await setup.calm()
    expect(answers).toHaveLength(1)
    expect(await setup.inbox(bob!)).toHaveLength(1)
  })
})

describe('a platform that stops during a decision', () => {
  it('asks the client to come again at once, and remembers what the function decides meanwhile', async () => {
    using folder = temporaryFolder()
    const clock = manualClock(1_700_000_000_000)
    const { answers, answer } = waitingFunction()
    const first = await beforeSetup(answer, { clock, dataDir: folder.path })
    await using dialogue = await offered(first)
    dialogue.send('.\r\n')
    await until(() => answers.length > 0)
    const stopped = first.platform.stop()
    expect((await dialogue.next())!.code).toBe(451)
    expect((await dialogue.next())!.code).toBe(421)
    expect(await dialogue.next()).toBeUndefined()
    answers[0]!(toAll('DROP'))
    await stopped
    await first[Symbol.asyncDispose]()
    await using second = await beforeSetup(() => toAll('DEFAULT'), { clock, dataDir: folder.path })
    const id = idIn(await offer(second))
    expect(await second.recipientStates(id)).toEqual({ [bob!]: 'dropped' })
    expect(second.events).toEqual([])
  })
})

describe('rules that decide before and after the reply', () => {
  it('decide on one mail, each for its recipients', async () => {
    await using setup = await mailSetup(
      ({ envelope }) => (envelope.recipients[0]!.address === bob ? toAll('DROP') : toAll('BOUNCE')),
      {
        relay: 'keep',
        rules: [
          { direction: 'INBOUND', function: 'sort', recipients: [bob!], decide: 'before' },
          { direction: 'INBOUND', function: 'sort', recipients: [carol!] },
        ],
      },
    )
    const to = [bob!, carol!, 'dora@office.example']
    const reply = await offer(setup, to)
    expect(await offer(setup, to)).toBe(reply)
    await setup.calm()
    expect(await setup.recipientStates(idIn(reply))).toEqual({
      [bob!]: 'dropped',
      [carol!]: 'bounced',
      'dora@office.example': 'delivered',
    })
    expect(await setup.inbox('dora@office.example')).toHaveLength(1)
    expect(await setup.reports()).toHaveLength(1)
    expect(setup.events).toHaveLength(2)
  })
})

it('a function can fetch the mail on which it decides before the reply', async () => {
  let text = ''
  await using setup = await beforeSetup(async ({ messageId }) => {
    text = String(await setup.platform.mail.fetch(messageId))
    return toAll('BOUNCE')
  })
  expect(await offer(setup)).toBe('550 5.7.1 The mail was refused')
  expect(text).toContain('Subject: Hello\r\n\r\nHi!\r\n')
  expect(await setup.platform.mail.fetch(setup.events[0]!.messageId)).toBeUndefined()
})

it('a hundred forged mails cause no report', async () => {
  await using setup = await beforeSetup(() => toAll('BOUNCE'))
  await using dialogue = await smtpDialogue(`smtp://127.0.0.1:${setup.port}`)
  await dialogue.say('EHLO client.example')
  for (let number = 0; number < 100; number++) {
    for (const line of ['MAIL FROM:<victim@far.example>', `RCPT TO:<${bob}>`, 'DATA'])
      await dialogue.say(line)
    expect(await dialogue.say(`Message-ID: <${number}@x>\r\n\r\nBuy!\r\n.`)).toBe(
      '550 5.7.1 The mail was refused',
    )
  }
  expect(await setup.states()).toEqual([])
})

describe('a mail over LMTP', () => {
  it('is decided on before the reply by every synchronous rule, and a client sends it again for some recipients only', async () => {
    let isBroken = true
    await using setup = await mailSetup(
      ({ envelope }) => (envelope.recipients[0]!.address === bob && isBroken ? broken() : toAll('DEFAULT')),
      {
        lmtp: { port: 0 },
        rules: [
          { direction: 'INBOUND', function: 'sort', recipients: [bob!], timeout: 5, fallback: 'DROP' },
          { direction: 'INBOUND', function: 'sort' },
        ],
      },
    )
    const both = [bob!, carol!]
    const codes = (replies: readonly string[]) => replies.map(reply => reply.slice(0, 3))
    expect(codes(await offerTestMail(setup.urls.lmtp, { to: both }))).toEqual(['451', '250'])
    await setup.clock.advance(60_000)
    expect(codes(await offerTestMail(setup.urls.lmtp, { to: [bob!] }))).toEqual(['451'])
    isBroken = false
    expect(codes(await offerTestMail(setup.urls.lmtp, { to: both }))).toEqual(['250', '250'])
    await setup.calm()
    for (const each of both) expect(await setup.inbox(each)).toHaveLength(1)
    expect(setup.events.map(({ envelope }) => envelope.recipients[0]!.address)).toEqual([
      bob,
      carol,
      bob,
      bob,
    ])
    expect((await setup.platform.invocationLog.list()).map(({ attempt }) => attempt).sort()).toEqual([
      1, 1, 2, 3,
    ])
  })
})

it('mails wait for a free instance of the function', async () => {
  const { answers, answer } = waitingFunction()
  await using setup = await beforeSetup(answer, {
    functions: { slow: { handler: answer, instances: 1, timeout: 600 } },
    rules: [{ direction: 'INBOUND', function: 'slow', decide: 'before', fallback: 'DROP' }],
  })
  const first = offer(setup)
  await until(() => answers.length > 0)
  const second = offer(setup, [bob!], { id: '<2@far.example>' })
  await until(() => setup.clock.waiting > 0)
  await new Promise(resolve => setTimeout(resolve, 50))
  // The first invocation ends after fifteen seconds, and the second one begins.
  await setup.clock.advance(15_000)
  expect(await first).toMatch(/^250/)
  await until(() => answers.length > 1)
  answers[1]!(toAll('DEFAULT'))
  expect(await second).toMatch(/^250/)
})
