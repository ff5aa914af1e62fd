import { deepStrictEqual, ok } from 'node:assert/strict'
import type { FallbackName, MailEvent } from '@signalbox/mail-flow/contract'
import { fastestFolder, temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import fc from 'fast-check'
import type { MailRule, MailSettings, RelaySettings } from '../config/mail-settings.ts'
import type { MailState } from '../store/mail-store.ts'
import { anyMail, mailDomains, officeSettings } from '../testing/mail-listener.ts'
import { mailWorld } from '../testing/mail-world.ts'
import { answerOfRelay, answerTo, endsOf, inbound, outbound, type Sent } from '../testing/scripted-mail.ts'

const minute = 60_000

const senders = ['ann@office.example', 'eve@far.example', '']

const rule = (direction: 'INBOUND' | 'OUTBOUND') =>
  fc.record({
    direction: fc.constant(direction),
    functionName: fc.constant('sort'),
    mode: fc.constantFrom('sync', 'sync', 'async'),
    timeout: fc.constantFrom(0, 1, 5, 240),
    fallback: fc.constantFrom<FallbackName>('DEFAULT', 'DROP', 'BOUNCE'),
  })

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      from: fc.constantFrom(...senders),
      to: fc.subarray([...inbound, ...outbound], { minLength: 1 }),
      // The number of minutes for which the function fails for this mail.
      broken: fc.constantFrom(0, 0, 2, 1e6),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.constantFrom(0, 1, 3, 30, 240) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('die' as const), after: fc.nat(12) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/**
 * Runs random sequences of mails, clock changes and crashes of the process. Checks afterwards that every recipient has
 * one final state, which the function or the fallback decided, that a delivered mail is in the mailbox once, and that
 * each sender got one report for each bounced recipient.
 * @throws Error with the shortest failing sequence
 */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  const figures = { mails: 0, deaths: 0, reports: 0 }
  await fc.assert(
    fc.asyncProperty(
      rule('INBOUND'),
      rule('OUTBOUND'),
      fc.array(step, { minLength: 2, maxLength: 12, size: 'max' }),
      async (...rules) => play([rules[0], rules[1]], rules[2], figures),
    ),
    { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
  )
  return `${runs} sequences, ${figures.mails} mails, ${figures.deaths} deaths, ${figures.reports} reports`
}

async function play(
  rules: Rules,
  sequence: readonly Step[],
  figures: { mails: number; deaths: number; reports: number },
) {
  using folder = temporaryFolder(fastestFolder)
  const sent: Sent[] = []
  const taken = new Map<string, number>()
  const ids = new Map<string, Set<string>>()
  const number = (text: string) => Number(/mail (\d+)/.exec(text)![1])
  using world = mailWorld(folder.path, {
    settings: settingsWith(rules),
    answer(event, now) {
      const { subject, invocationId, flowDirection, envelope } = event as MailEvent
      const key = `${subject} ${flowDirection}`
      ids.set(key, (ids.get(key) ?? new Set()).add(invocationId))
      const { at, broken } = sent[number(subject)]!
      return now < at + broken * minute ? { errorMessage: 'broken' } : answerTo(envelope.recipients)
    },
    relayed: (_from, raw, recipients, now) =>
      recipients.map(recipient => {
        const result = answerOfRelay(recipient, now - (sent[number(raw)]?.at ?? 0))
        const key = `${number(raw)} ${recipient}`
        if (result === 'relayed') taken.set(key, (taken.get(key) ?? 0) + 1)
        return { recipient, result, why: result }
      }),
  })
  const acknowledged = new Set<string>()
  for (const each of sequence) {
    if (each.do === 'die') world.dieAfter(each.after)
    else if (each.do === 'pass') await world.pass(each.minutes * minute)
    else {
      const raw = Buffer.from(`Subject: mail ${sent.length}\r\n\r\nHi!\r\n`)
      sent.push({ ...each, at: world.now() })
      const id = await world.accept({ from: each.from, recipients: each.to, raw })
      if (id !== undefined) acknowledged.add(id)
    }
  }
  world.dieAfter(undefined)
  for (let hours = 0; hours < 16 && (await world.states()).some(isPending); hours++)
    await world.pass(60 * minute)

  const states = await world.states()
  const mails = states.filter(({ report }) => !report)
  for (const id of acknowledged)
    ok(
      mails.some(mail => mail.id === id),
      'an acknowledged mail is lost',
    )
  for (const [key, set] of ids) deepStrictEqual(set.size, 1, `${key} had several invocation ids`)
  const files = await Promise.all(
    (await world.list()).map(async file => ({ ...file, text: String(await world.read(file)) })),
  )
  for (const mail of mails) {
    const about = sent[number(mail.subject)]!
    deepStrictEqual(
      mail.recipients.map(({ address }) => address),
      about.to,
    )
    const notes = files.filter(
      ({ text }) => /^Return-Path: <>/.test(text) && text.includes(`Subject: ${mail.subject}\r\n`),
    )
    for (const { address, direction, state, why } of mail.recipients) {
      const where = `${address} of ${mail.subject}: ${state}, ${why}`
      const decider = rules.find(each => each.direction === direction)!
      ok(endsOf(address, about, decider).has(state), where)
      const lies = files.filter(file => file.id === mail.id && file.address === address)
      deepStrictEqual(lies.length, state === 'delivered' ? 1 : 0, where)
      const times = taken.get(`${number(mail.subject)} ${address}`) ?? 0
      ok(state === 'relayed' ? times >= 1 && times <= 1 + world.deaths() : times === 0, where)
      // Reports to senders in other domains go to the relay, which does not read them in this test.
      if (about.from !== 'ann@office.example') continue
      const aboutRecipient = notes.filter(({ text }) =>
        text.includes(`Final-Recipient: rfc822; ${address}\r\n`),
      )
      deepStrictEqual(aboutRecipient.length, state === 'bounced' ? 1 : 0, where)
    }
  }
  const reports = states.filter(({ report }) => report)
  for (const { recipients } of reports)
    ok(recipients.every(({ state }) => ['delivered', 'relayed'].includes(state)))
  figures.mails += mails.length
  figures.deaths += world.deaths()
  figures.reports += reports.length
}

type Rules = readonly MailRule[]

const isPending = ({ recipients }: MailState) =>
  recipients.some(({ state }) => ['undecided', 'delivering'].includes(state))

function settingsWith(rules: Rules): MailSettings {
  const relay: RelaySettings = {
    protocol: 'SMTP',
    host: 'unused',
    port: 0,
    tls: 'never',
    ca: undefined,
    user: undefined,
    password: undefined,
    giveUp: 6 * 60 * minute,
  }
  return {
    ...officeSettings,
    ...{ retention: 30 * 24 * 60 * minute, relay, rules: rules.map(anyMail) },
    domains: mailDomains({ 'office.example': '*' }),
    functions: new Map([['sort', 8]]),
  }
}
