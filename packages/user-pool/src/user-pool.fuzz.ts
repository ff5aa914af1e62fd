import { SignalboxError, signalbox } from '@signalbox/core'
import fc from 'fast-check'
import { knownSource, type Source, sources, triggerEventCodec, triggerVerdict } from './contract/index.ts'
import { deny } from './routing/deny.ts'
import { passThrough } from './routing/pass-through.ts'
import type { Routes } from './routing/route.ts'
import { triggerEvents, triggerResponses } from './testing/arbitrary.ts'
import { mutations } from './testing/index.ts'
import { userPool } from './user-pool.ts'

type Thing = Record<string, unknown>
type Answers = (event: { readonly triggerSource: Source; response: unknown }) => unknown

const own = new Error('the program failed by itself')

/**
 * Generates routes that return a valid answer, an invalid answer, undefined or a promise, and routes that throw,
 * call `deny()` or damage the event.
 */
function routesOf(source: Source): fc.Arbitrary<Answers> {
  const { trigger } = knownSource(source)!
  const extra = fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.dictionary(fc.string(), fc.jsonValue()),
  )
  const answered = fc
    .tuple(triggerResponses(trigger), extra, fc.boolean())
    .map(([answer, more, late]) => () => {
      const whole = structuredClone({ ...answer, ...more })
      return late ? Promise.resolve(whole) : whole
    })
  const nonsense = fc.jsonValue().map(answer => () => structuredClone(answer))
  return fc.oneof(
    { weight: 6, arbitrary: answered },
    { weight: 1, arbitrary: nonsense },
    { weight: 1, arbitrary: oddities },
  )
}

const oddities = fc.constantFrom<Answers>(
  passThrough,
  event => event,
  () => Symbol('answer'),
  () => new Date(),
  () => new Proxy({}, {}),
  () => ({ toJSON: () => 7 }),
  async () => {},
  () => deny('Not today'),
  () => {
    throw own
  },
  async () => {
    throw own
  },
  event => {
    event.response = 'by hand'
  },
  event => {
    event.response = null
  },
  event => {
    event.response = { autoConfrimUser: true }
  },
  event => {
    Object.assign(event, { triggerSource: 'PreSignUp_SignUp', userName: 'somebody else' })
  },
  () => Object.create({ issueTokens: true, failAuthentication: false }),
  () => ({ claimsOverrideDetails: { claimsToAddOrOverride: new Map([['tenant', 't1']]) } }),
  () => new UnlikeItsJson(),
)

/** A value whose JSON differs from its contents. */
class UnlikeItsJson {
  issueTokens = false
  failAuthentication = true
  get autoConfirmUser() {
    return true
  }
  toJSON() {
    return { issueTokens: true, failAuthentication: false }
  }
}

/**
 * Generates route tables with and without a route for a source. The route may be for the source, for its trigger, or
 * `otherwise`.
 */
function tablesOf(source: Source): fc.Arbitrary<Routes> {
  const { trigger } = knownSource(source)!
  const maybe = fc.option(routesOf(source), { nil: undefined })
  const others = fc.array(fc.constantFrom(...sources.filter(other => other !== source)), {
    minLength: 1,
    maxLength: 5,
  })
  return fc.tuple(others, maybe, maybe, maybe).map(([names, exact, all, rest]) => ({
    ...Object.fromEntries(names.map(name => [name, passThrough])),
    ...(exact && { [source]: exact }),
    ...(all && { [trigger]: all }),
    ...(rest && { otherwise: rest }),
  }))
}

const broken = new Map(sources.map(source => [source, mutations(source)]))

/**
 * Generates valid events with secrets, events that break a rule, events that the normalizer repairs, events
 * with an answer, and unusual values.
 */
function eventsOf(source: Source): fc.Arbitrary<unknown> {
  const { trigger } = knownSource(source)!
  const whole = triggerEvents(source) as fc.Arbitrary<unknown> as fc.Arbitrary<Thing>
  return fc.oneof(
    { weight: 8, arbitrary: whole.map(withSecrets) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(...broken.get(source)!)
        .map(({ event }) => withSecrets(structuredClone(event) as Thing)),
    },
    {
      weight: 1,
      arbitrary: whole.map(event => ({ ...event, response: null, callerContext: { clientId: 'c' } })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(whole, triggerResponses(trigger), fc.constantFrom({}, { brandNew: null }))
        .map(([event, filled, more]) => ({ ...event, response: structuredClone({ ...filled, ...more }) })),
    },
    { weight: 1, arbitrary: fc.jsonValue().map(request => ({ triggerSource: source, request })) },
    {
      weight: 1,
      arbitrary: fc.tuple(whole, fc.string()).map(([event, name]) => ({ ...event, triggerSource: name })),
    },
  )
}

const cases = fc.constantFrom(...sources).chain(source => fc.tuple(eventsOf(source), tablesOf(source)))

const secret = 'hunter2-never-shown'
const secretFields = ['password', 'challengeAnswer', 'code']

function withSecrets(event: Thing): Thing {
  const given = event.request
  if (typeof given !== 'object' || given === null) return event
  const request: Thing = { ...given }
  for (const field of secretFields) if (typeof request[field] === 'string') request[field] = secret
  const { privateChallengeParameters: kept } = request
  if (typeof kept === 'object' && kept !== null) {
    request.privateChallengeParameters = { ...kept, answer: secret, more: 7, list: [secret] }
  }
  return { ...event, request }
}

/**
 * Sends random events to handlers with random route tables. The result must be the same event with a valid response, or
 * an error that has a name and shows no secret. Returns counts of the results.
 */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  const seen = { answered: 0, refused: 0, passed: 0 }
  const property = fc.asyncProperty(cases, async ([event, table]) => {
    const handler = signalbox(userPool(table, { decrypt: code => `plain ${code.length}` }))
    const sent = structuredClone(event) as Thing
    let returned: unknown
    try {
      returned = await handler(event)
    } catch (error) {
      if (error === own) seen.passed++
      else refused(error, seen)
      return
    }
    seen.answered++
    check(returned === event, 'another object came back')
    check(triggerEventCodec.is(returned), 'an invalid event came back')
    const verdict = triggerVerdict(JSON.stringify(returned), sent)
    check(verdict.kind === 'accepted', `the platform says ${JSON.stringify(verdict)}`)
    for (const [place, key] of Object.keys(sent).entries()) {
      check(Object.keys(event as Thing)[place] === key, `the key ${key} moved`)
    }
  })
  await fc.assert(property, { numRuns: runs, ...(seed !== undefined && { seed }) })
  return `${runs} events: ${seen.answered} answered as the contract says, ${seen.refused} refused with a named error, ${seen.passed} failed by their own routes.`
}

function refused(error: unknown, seen: { refused: number }): void {
  seen.refused++
  if (!(error instanceof SignalboxError)) throw error
  check(error.name !== 'Error' && error.code !== '', 'an error without a name')
  const told = [
    error.message,
    error.stack,
    JSON.stringify(error),
    String(error.cause),
    JSON.stringify(error.cause),
  ]
  const { cause } = error.cause instanceof Error ? error.cause : {}
  told.push(JSON.stringify(cause))
  check(!told.some(text => text?.includes(secret)), `a secret was told: ${told.join('\n')}`)
}

function check(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}
