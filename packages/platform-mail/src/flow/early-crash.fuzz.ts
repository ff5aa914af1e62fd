import { deepStrictEqual, ok } from 'node:assert/strict'
import type { MailEvent } from '@signalbox/mail-flow/contract'
import { fastestFolder, temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import fc from 'fast-check'
import { anyMail, officeSettings } from '../testing/mail-listener.ts'
import { mailWorld } from '../testing/mail-world.ts'

const minute = 60_000
const names = ['bob', 'carol', 'dora'].map(name => `${name}@office.example`)
const late = 'later@office.example'

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('offer' as const),
      // Only a mail with a rule that decides before the reply is recognized when it comes again.
      to: fc
        .tuple(fc.subarray(names, { minLength: 1 }), fc.subarray([late]))
        .map(([early, others]) => [...early, ...others]),
      // The number of minutes for which the function fails for this mail.
      broken: fc.constantFrom(0, 0, 0, 2, 1e6),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.constantFrom(0, 1, 3) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('die' as const), after: fc.nat(14) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/**
 * Runs random sequences of mails that are decided on before the reply, and of crashes of the process. A client offers its
 * mail again until it gets a final reply, and once more after it, as if it had not heard it. The function decides at random.
 * Checks that every reply is the first decision that was given out, and that each mail has its effect once.
 * @throws Error with the shortest failing sequence
 */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  const figures = { mails: 0, deaths: 0, invocations: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0, 5),
      fc.array(step, { minLength: 2, maxLength: 10, size: 'max' }),
      fc.infiniteStream(fc.constantFrom('DEFAULT', 'DROP', 'BOUNCE', 'MOVE_TO_JUNK')),
      async (timeout, sequence, choices) => play(timeout, sequence, choices, figures),
    ),
    { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
  )
  return `${runs} sequences, ${figures.mails} mails, ${figures.deaths} deaths, ${figures.invocations} invocations`
}

async function play(
  timeout: number,
  sequence: readonly Step[],
  choices: Iterator<string>,
  figures: { mails: number; deaths: number; invocations: number },
) {
  using folder = temporaryFolder(fastestFolder)
  const brokenUntil: number[] = []
  const ids = new Map<string, string>()
  const rule = {
    direction: 'INBOUND',
    functionName: 'sort',
    mode: 'sync',
    fallback: 'DROP',
    timeout,
  } as const
  using world = mailWorld(folder.path, {
    settings: {
      ...officeSettings,
      rules: [
        { ...anyMail({ ...rule, decide: 'before' }), decide: 'before' },
        { ...anyMail({ ...rule, decide: 'after' }), recipients: [onlyLater] },
      ],
      functions: new Map([['sort', 8]]),
      retention: 7 * 24 * 60 * minute,
    },
    answer(event, now) {
      figures.invocations++
      const { subject, invocationId, envelope } = event as MailEvent
      const isLate = envelope.recipients[0]!.address === late
      const key = `${subject} ${isLate}`
      deepStrictEqual(ids.get(key) ?? invocationId, invocationId, `${key} had several invocation ids`)
      ids.set(key, invocationId)
      if (now < brokenUntil[Number(subject)]!) return { errorMessage: 'broken' }
      return { actions: [{ action: { type: choices.next().value as string }, allRecipients: true }] }
    },
    relayed: () => [],
  })
  const offers: { readonly to: readonly string[]; readonly reply: string }[] = []
  for (const each of sequence) {
    if (each.do === 'die') world.dieAfter(each.after)
    else if (each.do === 'pass') await world.pass(each.minutes * minute)
    else {
      brokenUntil.push(world.now() + each.broken * minute)
      const number = offers.length
      const raw = Buffer.from(`Message-ID: <${number}@x>\r\nSubject: ${number}\r\n\r\nHi!\r\n`)
      const offer = () => world.offer({ from: 'eve@far.example', recipients: each.to, raw })
      let reply = await offer()
      for (let tries = 0; reply === undefined || reply.startsWith('45'); tries++) {
        ok(tries < 50, 'the mail never gets a final reply')
        if (reply !== undefined) await world.pass(minute)
        reply = await offer()
      }
      // The client did not hear the reply.
      const again = await offer()
      if (again !== undefined) deepStrictEqual(again, reply)
      offers.push({ to: each.to, reply })
    }
  }
  world.dieAfter(undefined)
  for (let minutes = 0; minutes < 20; minutes++) await world.pass(minute)

  const states = (await world.states()).filter(({ report }) => !report)
  const files = await world.list()
  for (const [number, { to, reply }] of offers.entries()) {
    const mails = states.filter(({ subject }) => subject === String(number))
    deepStrictEqual(mails.length, reply.startsWith('250') ? 1 : 0, reply)
    const [mail] = mails
    if (mail === undefined) continue
    ok(reply.endsWith(mail.id), 'the reply names another mail')
    for (const address of to) {
      const state: string = mail.recipients.find(recipient => recipient.address === address)!.state
      const copies: number = files.filter(file => file.id === mail.id && file.address === address).length
      ok(['delivered', 'dropped', ...(address === late ? ['bounced'] : [])].includes(state), state)
      deepStrictEqual(copies, state === 'delivered' ? 1 : 0, `${address}: ${state}`)
    }
  }
  deepStrictEqual(states.length, offers.filter(({ reply }) => reply.startsWith('250')).length)
  figures.mails += offers.length
  figures.deaths += world.deaths()
}

const onlyLater = { matches: (address: string) => address === late, specificity: [9] }
