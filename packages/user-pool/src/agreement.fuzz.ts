import { isDeepStrictEqual } from 'node:util'
import { signalbox } from '@signalbox/core'
import { changedInOnePlace } from '@signalbox/core/testing'
import { anyChange, anyJsonOr } from '@signalbox/core/testing/agreement-suite'
import fc from 'fast-check'
import {
  type Fields,
  knownSource,
  type Source,
  sources,
  triggerVerdict,
  type WireEvent,
} from './contract/index.ts'
import { triggerEvents, triggerResponses } from './testing/arbitrary.ts'
import { userPool } from './user-pool.ts'

/*
 * The intended differences between the function and the platform for the same answer:
 *
 * 1. The function refuses a field that the trigger does not have, at every depth that the contract
 *    describes, because such a field is most likely misspelt. The platform ignores the field.
 * 2. The function refuses an answer to a trigger for which the contract expects none. The platform ignores
 *    the answer.
 * 3. Without an answer, the function leaves the empty `response` that the event has. The platform refuses
 *    `"response": null`, because null is not an object.
 * 4. The function refuses a change that a route makes to the event of a custom sender: another identity,
 *    or a `response` that is not an object. The platform does not read this event.
 * 5. The function refuses values whose JSON differs from their contents (a Date, a Map, an object with
 *    `toJSON`). The platform sees only the JSON.
 */

const odd = anyJsonOr(
  ...[null, 7, '', true, [], {}, [null], { '': '' }, ['text', 7]],
  ...['sub', 'pool:groups', '{####}', '{username}', 'CONFIRMED', 'SMS'],
)
const names = ['issueToken', 'emailmessage', '__proto__', 'constructor', 'sub', 'pool:roles', 'x']
const change = anyChange(odd, names)

/** Values whose JSON differs from their contents, and values that JSON cannot represent. */
const notJson = fc.constantFrom<unknown>(
  undefined,
  Symbol('answer'),
  1n,
  Number.NaN,
  new Date(0),
  new Map([['smsMessage', '{####}']]),
  { toJSON: () => ({ autoConfirmUser: 'yes' }) },
  Object.create({ issueTokens: true, failAuthentication: false }),
  { autoConfirmUser: undefined },
  { claimsOverrideDetails: { claimsToAddOrOverride: new Map([['a', 'b']]) } },
  { claimsOverrideDetails: { claimsToSuppress: Object.assign(['a'], { toJSON: () => ['sub'] }) } },
  { desiredDeliveryMediums: [undefined], userAttributes: {} },
)

/** Generates any answer to a trigger: valid, invalid in one place, or unusual. */
export function answers(source: Source): fc.Arbitrary<unknown> {
  const { trigger } = knownSource(source)!
  const right = triggerResponses(trigger).map(answer => inTheWordsOf(source, answer))
  return fc.oneof(
    { weight: 4, arbitrary: right },
    {
      weight: 5,
      arbitrary: fc.tuple(right, fc.nat(), change).map(broken => changedInOnePlace(...broken)),
    },
    { weight: 1, arbitrary: odd },
    { weight: 1, arbitrary: notJson },
  )
}

// Adds placeholders to most messages in an answer. Without them, hardly any message would be valid.
function inTheWordsOf(source: Source, answer: object): object {
  if (!source.startsWith('CustomMessage_')) return answer
  const texts = Object.entries(answer).map(([name, text]) => [
    name,
    typeof text === 'string' && text.length % 4 > 0 ? `${text} {####} {username}` : text,
  ])
  return Object.fromEntries(texts)
}

/**
 * The way in which a route answers. It returns the answer, or writes it into `response`. In the last three ways, it
 * also changes the identifying field of that name.
 */
export type Way = 'returned' | 'by hand' | 'userName' | 'userPoolId' | 'triggerSource'

const way: fc.Arbitrary<Way> = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Way>('returned') },
  { weight: 4, arbitrary: fc.constant<Way>('by hand') },
  { weight: 1, arbitrary: fc.constantFrom<Way>('userName', 'userPoolId', 'triggerSource') },
)

const casesOf = new Map(
  sources.map(source => [
    source,
    fc.tuple(triggerEvents(source).map(withPlaceholders), answers(source), way),
  ]),
)
const read = sources.filter(source => knownSource(source)!.row.answer === 'read')

/**
 * Generates an event of any source, an answer to it, and the way in which a route answers. The platform reads the
 * answers to most of these events.
 */
export const cases: fc.Arbitrary<readonly [WireEvent, unknown, Way]> = fc
  .oneof(
    { weight: 9, arbitrary: fc.constantFrom(...read) },
    { weight: 1, arbitrary: fc.constantFrom(...sources) },
  )
  .chain(source => casesOf.get(source)!)

function withPlaceholders(event: WireEvent): WireEvent {
  if (!event.triggerSource.startsWith('CustomMessage_')) return event
  const request = { ...event.request, codeParameter: '{####}', usernameParameter: '{username}' }
  return { ...event, request } as never
}

type Answering = (event: { response: unknown; [field: string]: unknown }) => unknown

let route: Answering
const handler = signalbox(userPool({ otherwise: event => route(event as never) as never }))

function routeOf(answer: unknown, way: Way): Answering {
  return event => {
    if (way === 'returned') return answer
    event.response = answer
    if (way !== 'by hand') event[way] = `another ${event[way]}`
    return undefined
  }
}

/**
 * Compares the function's result for an answer with the platform's verdict. Throws if they differ in a way that is
 * not listed above. Otherwise returns the name of the case.
 */
export async function compareSides(
  event: WireEvent,
  answer: unknown,
  way: Way = 'returned',
): Promise<string> {
  const sent = structuredClone(event)
  const returned = structuredClone(event) as never
  routeOf(answer, way === 'returned' ? 'by hand' : way)(returned)
  const direct = triggerVerdict(written(returned), sent)
  route = routeOf(answer, way)
  let out: object
  try {
    out = (await handler(structuredClone(event))) as object
  } catch (error) {
    return refused(error, direct.kind, event, answer, way)
  }
  const through = triggerVerdict(JSON.stringify(out), sent)
  if (through.kind !== 'accepted') throw new Error(`what is let out is ${JSON.stringify(through)}`)
  const { answer: how } = knownSource(event.triggerSource)!.row
  if (how !== 'read') return 'not read'
  if (way === 'returned' && (answer === undefined || answer === null)) return 'nothing answered'
  if (direct.kind !== 'accepted')
    throw new Error(`the function lets out what the platform refuses: ${JSON.stringify(direct)}`)
  if (!isDeepStrictEqual(through.response, direct.response))
    throw new Error(`the sides differ: ${JSON.stringify([through.response, direct.response])}`)
  return 'the same'
}

function refused(error: unknown, direct: string, event: WireEvent, answer: unknown, way: Way): string {
  if ((error as { code?: unknown }).code !== 'INVALID_RESPONSE') throw error
  if (direct === 'invalid') return 'refused by both'
  const { row, trigger } = knownSource(event.triggerSource)!
  if (row.answer === 'not read' && way !== 'returned') return 'refused, though it is not read'
  if (row.answer === 'none expected') return 'refused, since no answer is expected'
  if (hasOtherFields(answer, row.response))
    return 'refused, since it has a field that the trigger does not have'
  if (written(answer) === undefined || !isDeepStrictEqual(JSON.parse(written(answer)!), answer))
    return 'refused, since it is not JSON'
  throw new Error(`the function refuses what the platform takes from ${trigger}: ${error}`)
}

function hasOtherFields(answer: unknown, fields: Fields): boolean {
  if (typeof answer !== 'object' || answer === null) return false
  return Object.entries(answer).some(([name, value]) => {
    const inner = Object.hasOwn(fields, name) ? fields[name]?.shape : undefined
    return inner === undefined || (inner.fields !== undefined && hasOtherFields(value, inner.fields))
  })
}

/** Returns a value as JSON, or undefined if JSON cannot represent it. */
function written(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** Checks that the function and the platform agree on any answer to a trigger. */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(cases, async ([event, answer, way]) => {
      const found = await compareSides(event, answer, way)
      seen.set(found, (seen.get(found) ?? 0) + 1)
    }),
    { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
  )
  return `${runs} answers: ${[...seen].map(([what, count]) => `${count} ${what}`).join(', ')}`
}
