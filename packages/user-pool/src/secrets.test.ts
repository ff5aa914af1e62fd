import { inspect } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import { formatProblems } from '@signalbox/codec'
import { InvalidEventError, InvalidResponseError, signalbox } from '@signalbox/core'
import fc from 'fast-check'
import { sources, triggerVerdict } from './contract/index.ts'
import { triggerResponses } from './testing/arbitrary.ts'
import { triggerEvent } from './testing/index.ts'
import { userPool } from './user-pool.ts'

/** Returns everything that an error and its causes show. */
function toldBy(error: unknown): string {
  const told: string[] = []
  for (let at = error as Error | undefined; at !== undefined; at = at.cause as Error | undefined) {
    told.push(at.message, String(at.stack), JSON.stringify(at), inspect(at, { depth: 20, showHidden: true }))
  }
  return told.join('\n')
}

/** Returns the paths of all members of a JSON value. */
function pathsIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  const inside =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, each]) => pathsIn(each, [...path, key]))
      : []
  return [path, ...inside]
}

/** Returns a copy of a JSON value in which the value at a path is replaced. */
function withAt(value: unknown, [key, ...rest]: readonly string[], other: unknown): unknown {
  if (key === undefined) return other
  const copy: unknown = structuredClone(value)
  const holder = copy as Record<string, unknown>
  holder[key] = withAt(holder[key], rest, other)
  return copy
}

/** Generates secrets of 14 digits, which error messages do not contain by chance. */
const secretText = fc.stringMatching(/^[1-9][0-9]{13}$/)
/** Returns the forms in which JSON can contain a secret: as a string, as a number, or inside an object or a list. */
const holders = (secret: string): readonly unknown[] => [
  secret,
  [secret],
  [[secret], secret],
  { answer: secret },
  { deep: { challengeName: secret } },
  Number(secret),
]

const run = async (event: unknown, answer: unknown): Promise<unknown> =>
  signalbox(userPool({ otherwise: () => answer }))(event).then(
    () => undefined,
    (error: unknown) => error,
  )

const pathOf = (value: unknown) => fc.constantFrom(...pathsIn(value))

describe.each(sources)('a secret in %s', source => {
  const trigger = source.slice(0, source.indexOf('_')) as never

  it('does not appear in an error about the event', async () => {
    const event = triggerEvent(source)
    const place = fc.tuple(pathOf(event), secretText, fc.nat(5))
    await fc.assert(
      fc.asyncProperty(place, async ([path, secret, form]) => {
        const broken = withAt(event, path, holders(secret)[form])
        const error = await run(broken, undefined)
        if (error !== undefined) expect(toldBy(error)).not.toContain(secret)
      }),
      { numRuns: 60 },
    )
  })

  it('does not appear in an error about the answer', async () => {
    const event = triggerEvent(source)
    const answers = triggerResponses(trigger).chain(answer =>
      fc.tuple(fc.constant(answer), pathOf(answer), secretText, fc.nat(5)),
    )
    await fc.assert(
      fc.asyncProperty(answers, async ([answer, path, secret, form]) => {
        const broken = withAt(answer, path, holders(secret)[form])
        const error = await run(structuredClone(event), broken)
        if (error !== undefined) expect(toldBy(error)).not.toContain(secret)
        const verdict = triggerVerdict(JSON.stringify({ ...event, response: broken }), event)
        if (verdict.kind === 'invalid') expect(formatProblems(verdict.problems)).not.toContain(secret)
      }),
      { numRuns: 60 },
    )
  })
})

describe('an error shows only the type of a secret value', () => {
  const refused = async (event: unknown, answer: unknown) => String((await run(event, answer)) as Error)

  it('when answerCorrect contains the expected answer', async () => {
    const source = 'VerifyAuthChallengeResponse_Authentication'
    const error = await run(triggerEvent(source), { answerCorrect: 'EXPECTED42' })
    expect(error).toBeInstanceOf(InvalidResponseError)
    expect(String(error)).toContain('/response/answerCorrect: expected boolean, was a string')
    expect(toldBy(error)).not.toContain('EXPECTED42')
  })

  it('when issueTokens contains the expected code', async () => {
    const source = 'DefineAuthChallenge_Authentication'
    const answer = { issueTokens: 424242, failAuthentication: false }
    expect(await refused(triggerEvent(source), answer)).toContain(
      'issueTokens: expected boolean, was a number',
    )
  })

  it('when public parameters and metadata contain the expected answer', async () => {
    const source = 'CreateAuthChallenge_Authentication'
    const answer = {
      publicChallengeParameters: '424242',
      privateChallengeParameters: {},
      challengeMetadata: 424242,
    }
    const told = await refused(triggerEvent(source), answer)
    expect(told).toContain('/response/publicChallengeParameters: expected ')
    expect(told).toContain('/response/challengeMetadata: expected ')
    expect(told).not.toContain('424242')
  })

  it('when a user attribute is invalid in an event or an answer', async () => {
    const source = 'UserMigration_Authentication'
    const answer = { userAttributes: { 'custom:ssn': 424242 } }
    expect(await refused(triggerEvent(source), answer)).toContain('custom:ssn: expected string, was a number')
    const event = triggerEvent(source, { userAttributes: { 'custom:ssn': ['424242'] } } as never)
    const error = await run(event, { userAttributes: {} })
    expect(error).toBeInstanceOf(InvalidEventError)
    expect(toldBy(error)).not.toContain('424242')
  })
})
