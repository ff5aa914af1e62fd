import fc from 'fast-check'
import { addressKey, isAddress, type MailAction, type MailEvent, mailVerdict } from '../contract/index.ts'
import { arbitraryAddress, arbitraryMailEvent, arbitraryText } from '../testing/arbitrary.ts'
import { mailEvent } from '../testing/index.ts'
import type { MailActions } from './actions.ts'
import type { Overflow } from './built-response.ts'
import { checkResponse } from './check-response.ts'
import { mailActions } from './mail-actions.ts'

/** A call of a builder method, and the action that the call adds. */
interface Call {
  readonly name: string
  readonly action: MailAction
  readonly recipients: readonly string[] | undefined
  readonly run: (actions: MailActions) => MailActions
}

/** The expected effect of a sequence of calls, computed in a slow but simple way. */
interface Meaning {
  readonly named: Map<string, string>
  /** The unique actions in the order of their first call. */
  readonly unique: string[]
  forAll: string | undefined
}

const methods = {
  drop: 'DROP',
  default: 'DEFAULT',
  bypassSpamCheck: 'BYPASS_SPAM_CHECK',
  moveToJunk: 'MOVE_TO_JUNK',
} as const

const keyOf = (action: MailAction) => JSON.stringify(action)

/**
 * Generates events with a few arbitrary recipients, or with about 500 recipients, which is the limit for outbound mail.
 */
function arbitraryEvent(): fc.Arbitrary<MailEvent> {
  const manyRecipients = fc
    .record({ count: fc.integer({ min: 490, max: 520 }), outbound: fc.boolean(), truncated: fc.boolean() })
    .map(({ count, ...direction }) =>
      mailEvent({
        recipients: Array.from({ length: count }, (_, i) => `r${i}@Office.example`),
        ...direction,
      }),
    )
  return fc.oneof({ weight: 30, arbitrary: arbitraryMailEvent() }, manyRecipients)
}

function arbitraryRecipients(event: MailEvent): fc.Arbitrary<readonly string[] | undefined> {
  const listed = event.envelope.recipients.map(({ address }) => address)
  const inAnyCase = fc
    .subarray(listed, { maxLength: Math.min(listed.length, 6) })
    .chain(addresses => fc.constantFrom(addresses, addresses.map(otherCase)))
  const slice = fc
    .tuple(fc.nat(listed.length), fc.nat(listed.length))
    .map(([from, to]) => listed.slice(Math.min(from, to), Math.max(from, to)))
  const unlisted = fc.oneof(
    arbitraryAddress(),
    fc.constantFrom('', 'ann', 'Ann <ann@office.example>', 'a@b@c'),
  )
  return fc.oneof(
    { weight: 6, arbitrary: inAnyCase },
    { weight: 2, arbitrary: slice },
    { weight: 1, arbitrary: fc.array(unlisted, { maxLength: 2 }) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

function otherCase(address: string): string {
  const at = address.lastIndexOf('@')
  return address.slice(0, at) + address.slice(at).replace(/[a-z]/g, letter => letter.toUpperCase())
}

function arbitraryCalls(event: MailEvent): fc.Arbitrary<readonly Call[]> {
  const recipients = arbitraryRecipients(event)
  const message = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...'abcdefghijkl', undefined) },
    arbitraryText(12),
  )
  const bounce = fc.tuple(message, recipients).map(
    ([text, to]): Call => ({
      name: 'bounce',
      action:
        text === undefined ? { type: 'BOUNCE' } : { type: 'BOUNCE', parameters: { bounceMessage: text } },
      recipients: to,
      run: actions => actions.bounce(text, to),
    }),
  )
  const other = fc
    .tuple(fc.constantFrom(...(Object.keys(methods) as (keyof typeof methods)[])), recipients)
    .map(
      ([name, to]): Call => ({
        name,
        action: { type: methods[name] },
        recipients: to,
        run: actions => actions[name](to),
      }),
    )
  return fc.array(fc.oneof({ weight: 3, arbitrary: bounce }, other), { maxLength: 24, size: 'max' })
}

/** Returns the errors that a call may throw. The list is empty when the call must succeed. */
function refusals(call: Call, meaning: Meaning, event: MailEvent, overflow: Overflow): Set<string> {
  const { named, unique, forAll } = meaning
  const errors = new Set<string>()
  const outbound = event.flowDirection === 'OUTBOUND'
  const key = keyOf(call.action)
  const listed = new Set(event.envelope.recipients.map(({ address }) => addressKey(address)))
  if (outbound && ['BYPASS_SPAM_CHECK', 'MOVE_TO_JUNK'].includes(call.action.type))
    errors.add('InboundOnlyActionError')
  const fresh = new Set<string>()
  for (const address of call.recipients ?? []) {
    const who = addressKey(address)
    const known = listed.has(who) || named.has(who)
    if (!known && !isAddress(address)) errors.add('InvalidAddressError')
    const delivers = !['DROP', 'BOUNCE'].includes(call.action.type)
    if (!known && outbound && !event.truncated && !delivers) errors.add('UnlistedRecipientError')
    if (named.has(who) && named.get(who) !== key) errors.add('ConflictingActionsError')
    if (!named.has(who)) fresh.add(who)
  }
  if (call.recipients === undefined && forAll !== undefined && forAll !== key)
    errors.add('ConflictingActionsError')
  if (outbound && named.size + fresh.size > 500) errors.add('TooManyRecipientsError')
  const asksForSomething = call.recipients === undefined || fresh.size > 0
  if (overflow === 'refuse' && asksForSomething && !unique.includes(key) && unique.length >= 10)
    errors.add('TooManyActionsError')
  return errors
}

function carryOut(call: Call, meaning: Meaning): void {
  const key = keyOf(call.action)
  const fresh = (call.recipients ?? []).map(addressKey).filter(who => !meaning.named.has(who))
  if (call.recipients !== undefined && fresh.length === 0) return
  if (!meaning.unique.includes(key)) meaning.unique.push(key)
  if (call.recipients === undefined) meaning.forAll = key
  for (const who of fresh) meaning.named.set(who, key)
}

/** Counts of the cases in a run, to check that the run covered the important ones. */
export interface Figures {
  refused: number
  overflowed: number
  decided: number
}

/**
 * Checks any sequence of calls. Each call either succeeds, or throws a documented error and changes nothing. The final
 * response is valid, and its verdict for each recipient is what the calls asked for.
 */
export function builderProperty(figures: Figures = { refused: 0, overflowed: 0, decided: 0 }) {
  const overflow = fc.constantFrom('refuse' as const, 'fallback' as const)
  const cases = arbitraryEvent().chain(event => fc.tuple(fc.constant(event), arbitraryCalls(event), overflow))
  return fc.property(cases, ([event, calls, overflow]) => {
    const actions = mailActions(event, { overflow })
    const meaning: Meaning = { named: new Map(), unique: [], forAll: undefined }
    for (const call of calls) {
      const allowed = refusals(call, meaning, event, overflow)
      const before = JSON.stringify(actions.response())
      try {
        call.run(actions)
      } catch (error) {
        const name = error instanceof Error ? error.name : String(error)
        if (!allowed.has(name)) throw new Error(`${call.name} threw ${name}`, { cause: error })
        if (JSON.stringify(actions.response()) !== before) throw new Error(`${name} left a trace`)
        figures.refused++
        continue
      }
      if (allowed.size > 0)
        throw new Error(`${call.name} should have thrown one of ${[...allowed].join(', ')}`)
      carryOut(call, meaning)
    }
    const response = checkResponse(actions.response(), event, overflow)
    const verdict = mailVerdict(JSON.stringify(response), event, { fallback: 'DROP' })
    if (verdict.kind !== 'decided') throw new Error(`the verdict is ${verdict.kind}`)
    const counting = meaning.unique.slice(0, 10)
    for (const { address, disposition, action } of verdict.recipients) {
      const meant = meaning.named.get(addressKey(address)) ?? meaning.forAll
      const expected =
        meaning.unique.length === 0
          ? keyOf({ type: 'DEFAULT' })
          : meant === undefined || !counting.includes(meant)
            ? undefined
            : meant
      if (disposition === 'fallback') figures.overflowed++
      else figures.decided++
      const got = disposition === 'fallback' ? undefined : keyOf(action)
      if (got !== expected) throw new Error(`${address} gets ${got}, meant was ${expected}`)
    }
  })
}

export async function fuzz(runs: number, seed?: number): Promise<string> {
  const figures: Figures = { refused: 0, overflowed: 0, decided: 0 }
  fc.assert(builderProperty(figures), { numRuns: runs, ...(seed === undefined ? {} : { seed }) })
  const { refused, overflowed, decided } = figures
  return `${runs} sequences of calls: ${refused} calls refused, ${decided} recipients decided, ${overflowed} left to the fallback`
}
