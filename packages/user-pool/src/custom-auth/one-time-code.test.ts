import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import {
  createAuthChallengeEvent,
  type SignInOptions,
  signIn,
  verifyAuthChallengeEvent,
} from '../testing/index.ts'
import { userPool } from '../user-pool.ts'
import { type CustomAuthOptions, customAuth } from './custom-auth.ts'
import { oneTimeCode } from './one-time-code.ts'

const play = (options: CustomAuthOptions, answers: readonly string[], situation: SignInOptions = {}) =>
  signIn(signalbox(userPool(customAuth(options))), answers, situation)

const failure = { asked: { issueTokens: false, failAuthentication: true } }

describe('oneTimeCode', () => {
  const numbers = (...given: readonly number[]) => {
    const left = [...given]
    return () => left.shift()!
  }

  it('sends a code, and accepts the same code as the answer', async () => {
    const sent: unknown[] = []
    const challenge = oneTimeCode({
      digits: 4,
      random: numbers(42),
      send: (code, { userName, request }) => sent.push([code, userName, request.userAttributes.email]),
    })
    expect(await play({ challenges: [challenge] }, ['0042'])).toMatchObject([
      { asked: { challengeName: 'PASSWORD_VERIFIER' } },
      { asked: { challengeName: 'CUSTOM_CHALLENGE' }, shown: { digits: '4' }, right: true },
      { asked: { issueTokens: true } },
    ])
    expect(sent).toEqual([['0042', 'ada', 'ada@example.com']])
  })

  it('makes a new code for every attempt, and refuses an old code', async () => {
    const challenge = oneTimeCode({ random: numbers(111_111, 222_222), send: () => {} })
    const steps = await play({ challenges: [challenge], maxAttempts: 2 }, ['wrong', '111111'])
    expect(steps.map(({ right }) => right)).toEqual([undefined, false, false, undefined])
    expect(steps.at(-1)).toEqual(failure)
  })

  it('refuses a code from the millisecond at which its ttl ends', async () => {
    const clock = manualClock(1_000)
    const challenge = oneTimeCode({ ttl: 60_000, clock, random: numbers(123_456), send: () => {} })
    const { privateParameters } = await challenge.create(createAuthChallengeEvent(), {}, {} as never)
    const good = () =>
      challenge.verify(
        { answer: '123456', privateParameters: privateParameters!, event: verifyAuthChallengeEvent() },
        {},
        {} as never,
      )
    // Another machine can check the code, so the wall clock counts.
    clock.jump(60_000)
    expect(good()).toBe(false)
    clock.jump(-60_000)
    await clock.advance(59_999)
    expect(good()).toBe(true)
    await clock.advance(1)
    expect(good()).toBe(false)
  })

  it('sends no code to an unknown user, although the flow looks the same as for a known user', async () => {
    const sent: string[] = []
    const options = () => ({
      challenges: [oneTimeCode({ random: numbers(1, 1), send: code => sent.push(code) })] as const,
    })
    const known = await play(options(), ['x'])
    expect(sent).toHaveLength(1)
    expect(await play(options(), ['x'], { userNotFound: true })).toEqual(known)
    expect(sent).toHaveLength(1)
  })

  it('makes random codes of the configured length', async () => {
    const codes = new Set<string>()
    const challenge = oneTimeCode({ digits: 12, send: code => codes.add(code) })
    for (let i = 0; i < 50; i++) await challenge.create(createAuthChallengeEvent(), {}, {} as never)
    expect(codes.size).toBe(50)
    for (const code of codes) expect(code).toMatch(/^\d{12}$/)
  })

  it('refuses every answer when the private parameters contain no code or no valid expiry time', () => {
    const { verify } = oneTimeCode({ send: () => {} })
    const attempt = { answer: '', privateParameters: {}, event: verifyAuthChallengeEvent() }
    expect(verify(attempt, {}, {} as never)).toBe(false)
    const eternal = { ...attempt, answer: '1', privateParameters: { answer: '1', expires: 'never' } }
    expect(verify(eternal, {}, {} as never)).toBe(false)
  })

  it.each<[string, object, string]>([
    ['3 digits', { digits: 3 }, 'digits is a whole number from 4 to 12, not 3'],
    ['13 digits', { digits: 13 }, 'digits is a whole number from 4 to 12, not 13'],
    ['a ttl of 0', { ttl: 0 }, 'ttl is a number of milliseconds above 0, not 0'],
    ['a ttl of NaN', { ttl: Number.NaN }, 'ttl is a number of milliseconds above 0, not NaN'],
    ['a ttl that is a string', { ttl: '500' }, 'milliseconds above 0, not "500"'],
    ['a ttl of Infinity', { ttl: Number.POSITIVE_INFINITY }, 'milliseconds above 0, not Infinity'],
    ['options without send', { send: undefined }, 'send is a function that sends a code to a user'],
    ['an unknown option', { length: 6 }, 'oneTimeCode() has no option "length"'],
  ])('refuses %s', (_, options, message) => {
    expect(() => oneTimeCode({ send: () => {}, ...options })).toThrow(message)
  })
})
