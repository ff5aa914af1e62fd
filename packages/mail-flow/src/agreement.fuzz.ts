import { isDeepStrictEqual } from 'node:util'
import { signalbox } from '@signalbox/core'
import { changedInOnePlace } from '@signalbox/core/testing'
import { anyChange, anyJsonOr } from '@signalbox/core/testing/agreement-suite'
import fc from 'fast-check'
import {
  actionKey,
  type MailEvent,
  type MailResponse,
  mailVerdict,
  uniqueActionsLimit,
} from './contract/index.ts'
import { mailFlow } from './mail-flow.ts'
import { arbitraryMailEvent, arbitraryMailResponse } from './testing/arbitrary.ts'

/*
 * The intended differences between the function side and the platform:
 *
 * 1. On the function side, a decision of undefined or null means DEFAULT for all recipients. For the
 *    platform, no response is a failed invocation.
 * 2. The function side refuses an eleventh unique action, unless `overflow` is `fallback`. The platform
 *    applies the fallback action to the recipients of that action.
 * 3. The function side may refuse or accept a value that JSON does not represent fully. The platform sees
 *    only the JSON.
 */

const odd = anyJsonOr(
  ...[null, 7, '', true, [], {}, [null], [[]], { type: 'DROP' }, { address: 'a@b.c' }],
  ...['DROP', 'BOUNCE', 'MOVE_TO_JUNK', 'drop', 'ann@office.example'],
)
const names = ['action', 'actions', 'allRecipient', 'Recipients', 'parameter', 'bounceMessage', 'typ', 'x']
const change = anyChange(odd, [...names, '__proto__', 'constructor'])

class Response {
  readonly #response: MailResponse
  constructor(response: MailResponse) {
    this.#response = response
  }
  get actions() {
    return this.#response.actions
  }
}

/** Answers whose JSON differs from what they contain. */
const notJson = fc.constantFrom<(response: MailResponse) => unknown>(
  response => new Response(response),
  response => Object.create(response),
  response => ({ ...response, toJSON: () => ({ actions: [{ action: { type: 'DROP' } }] }) }),
  ({ actions }) => ({ actions: Object.assign([...actions], { toJSON: () => [] }) }),
  ({ actions }) => ({ actions: actions.map(decision => Object.create(decision)) }),
  ({ actions }) => ({ actions: actions.map(decision => ({ ...decision, toJSON: () => null })) }),
  ({ actions }) => ({ actions: new Set(actions) }),
  ({ actions }) => ({ actions: [...actions, undefined] }),
  ({ actions }) => ({ actions: actions.map(decision => ({ ...decision, recipients: undefined })) }),
  ({ actions }) => ({ actions: actions.map(decision => ({ ...decision, recipients: [new String('a')] })) }),
  ({ actions }) => ({ actions, id: 1n }),
  () => undefined,
  () => Symbol('answer'),
)

/** Generates any answer to an event: valid, invalid in one place, not JSON, or unusual. */
function answersTo(event: MailEvent): fc.Arbitrary<unknown> {
  // fast-check makes some objects without a prototype. A copy through JSON has the usual prototype.
  const right = arbitraryMailResponse(event).map(
    (response): MailResponse => JSON.parse(JSON.stringify(response)),
  )
  return fc.oneof(
    { weight: 5, arbitrary: right },
    { weight: 6, arbitrary: fc.tuple(right, fc.nat(), change).map(broken => changedInOnePlace(...broken)) },
    { weight: 1, arbitrary: odd },
    { weight: 1, arbitrary: fc.tuple(right, notJson).map(([response, make]) => make(response)) },
  )
}

/** Generates events, each with an answer. Some events have their direction changed, so that other rules apply. */
const cases = fc.tuple(arbitraryMailEvent({ maxRecipients: 4 }), fc.boolean()).chain(([event, turned]) =>
  answersTo(event).map((answer): readonly [MailEvent, unknown] => {
    const flowDirection = turned ? 'OUTBOUND' : event.flowDirection
    return [{ ...event, flowDirection }, answer]
  }),
)

let given: unknown
const strict = signalbox(mailFlow(() => given as never, { onWarnings: () => {} }))
const lenient = signalbox(mailFlow(() => given as never, { overflow: 'fallback', onWarnings: () => {} }))

/**
 * Compares the results of the function side and the platform for an answer. Throws for a difference that is not listed
 * above, and otherwise returns the name of the case.
 */
export async function compareSides(answer: unknown, event: MailEvent): Promise<string> {
  const direct = mailVerdict(written(answer), event, { fallback: 'BOUNCE' })
  given = answer
  let out: unknown
  let isLenient = false
  try {
    try {
      out = await strict(event)
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'TOO_MANY_ACTIONS') throw error
      if (direct.kind === 'decided' && uniqueActions(answer as MailResponse) <= uniqueActionsLimit)
        throw new Error('the function refuses ten unique actions')
      isLenient = true
      out = await lenient(event)
    }
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'INVALID_RESPONSE') throw error
    if (direct.kind === 'failed') return 'refused by both'
    if (!isJson(answer)) return 'refused, since it is not JSON'
    throw new Error(`the function refuses what the platform takes: ${error}`)
  }
  const through = mailVerdict(written(out), event, { fallback: 'BOUNCE' })
  if (through.kind !== 'decided') throw new Error(`what is let out is ${JSON.stringify(through)}`)
  if (answer === undefined || answer === null) return 'DEFAULT for nothing'
  if (!isJson(answer)) return 'what JSON does not say'
  if (direct.kind !== 'decided')
    throw new Error(`the function lets out what the platform refuses: ${JSON.stringify(direct)}`)
  if (!isDeepStrictEqual(through, direct))
    throw new Error(`the sides differ: ${JSON.stringify([through, direct])}`)
  return isLenient ? 'the same, with more than ten unique actions' : 'the same'
}

const uniqueActions = ({ actions }: MailResponse) =>
  new Set(actions.map(({ action }) => actionKey(action))).size

/** Returns whether JSON represents a value fully. */
function isJson(value: unknown): boolean {
  const text = written(value)
  return text !== undefined && hasJsonOnly(value) && isDeepStrictEqual(JSON.parse(text), value)
}

function hasJsonOnly(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  return isPlain && Object.values(value).every(hasJsonOnly)
}

/** Returns the JSON of a value, or undefined if the value has no JSON. */
function written(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** Checks that the function side and the platform agree on any answer to an event. */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(cases, async ([event, answer]) => {
      const found = await compareSides(answer, event)
      seen.set(found, (seen.get(found) ?? 0) + 1)
    }),
    { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
  )
  return `${runs} answers: ${[...seen].map(([what, count]) => `${count} ${what}`).join(', ')}`
}
