import { describe, expect, it } from '@jest/globals'
import { type InvalidOptionError, signalbox } from '@signalbox/core'
import {
  createAuthChallengeEvent,
  defineAuthChallengeEvent,
  type SignInOptions,
  signIn,
  verifyAuthChallengeEvent,
} from '../testing/index.ts'
import { userPool } from '../user-pool.ts'
import type { Challenge } from './challenge.ts'
import { type CustomAuthOptions, customAuth } from './custom-auth.ts'
import { sameAnswer } from './same-answer.ts'

/** Returns a challenge with a secret answer. */
function riddle(name: string, answer: string): Challenge {
  return {
    name,
    create: () => ({
      publicParameters: { question: `What is ${name}?` },
      privateParameters: { answer, salt: name },
    }),
    verify: attempt => sameAnswer(attempt.answer, attempt.privateParameters.answer),
  }
}

const play = (options: CustomAuthOptions, answers: readonly string[], situation: SignInOptions = {}) =>
  signIn(signalbox(userPool(customAuth(options))), answers, situation)

const tokens = { asked: { issueTokens: true, failAuthentication: false } }
const failure = { asked: { issueTokens: false, failAuthentication: true } }
const password = {
  asked: { challengeName: 'PASSWORD_VERIFIER', issueTokens: false, failAuthentication: false },
}
const put = (name: string, right: boolean) => ({
  asked: { challengeName: 'CUSTOM_CHALLENGE', issueTokens: false, failAuthentication: false },
  shown: { question: `What is ${name}?` },
  right,
})

describe('customAuth', () => {
  const one: CustomAuthOptions = { challenges: [riddle('a', '1')] }
  const two: CustomAuthOptions = { challenges: [riddle('a', '1'), riddle('b', '2')], maxAttempts: 2 }

  it('asks for the password, then presents the challenge, and then issues tokens', async () => {
    expect(await play(one, ['1'])).toEqual([password, put('a', true), tokens])
  })

  it('fails after a wrong answer when only one attempt is allowed', async () => {
    expect(await play(one, ['2'])).toEqual([password, put('a', false), failure])
  })

  it('presents several challenges in order, and counts the attempts at each one', async () => {
    expect(await play(two, ['x', '1', 'x', '2'])).toEqual([
      password,
      put('a', false),
      put('a', true),
      put('b', false),
      put('b', true),
      tokens,
    ])
    expect(await play(two, ['1', 'x', 'x'])).toEqual([
      password,
      put('a', true),
      put('b', false),
      put('b', false),
      failure,
    ])
  })

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'the value: expected an object of parameters, was nothing'],
    [
      'the names of the response',
      { publicChallengeParameters: {}, privateChallengeParameters: { answer: 'SECRET' } },
      '/publicChallengeParameters: expected one of the fields publicParameters, privateParameters, was a field',
    ],
    [
      'a string as parameters',
      { privateParameters: 'SECRET' },
      '/privateParameters: expected map of string to string, was a string',
    ],
    [
      'a list as parameters',
      { publicParameters: ['a'] },
      '/publicParameters: expected map of string to string, was a list',
    ],
    [
      'a promise as parameters',
      { publicParameters: {}, privateParameters: Promise.resolve({ answer: 'SECRET' }) },
      '/privateParameters: expected map of string to string, was another kind of object',
    ],
  ])('refuses a challenge whose create returns %s', async (_, created, problem) => {
    const wrong = { ...riddle('a', '1'), create: () => created as never }
    const refused = expect(play({ challenges: [wrong] }, ['1'])).rejects
    await refused.toThrow(`What create of the challenge "a" returned breaks the contract:\n${problem}`)
  })

  it('takes parameters that are absent or null', async () => {
    const empty = {
      ...riddle('a', '1'),
      create: () => ({ publicParameters: null as never }),
      verify: () => true,
    }
    expect(await play({ challenges: [empty] }, ['1'])).toContainEqual(tokens)
  })

  it('allows a flow without a password only if firstFactor is "none" or "either"', async () => {
    expect(await play({ ...one, firstFactor: 'none' }, ['1'], { srp: false })).toEqual([
      put('a', true),
      tokens,
    ])
    expect(await play({ ...one, firstFactor: 'either' }, ['1'], { srp: false })).toEqual([
      put('a', true),
      tokens,
    ])
    expect(await play(one, ['1'], { srp: false })).toEqual([failure])
    expect(await play({ ...one, firstFactor: 'none' }, ['1'])).toEqual([failure])
  })

  it.each([
    ['right answers', ['1', '2']],
    ['wrong answers', ['x', 'x']],
    ['right and wrong answers', ['x', '1', 'x', '2']],
  ])('treats an unknown user who gives %s like a known user until the last step', async (_, answers) => {
    const known = await play(two, answers)
    const unknown = await play(two, answers, { userNotFound: true })
    expect(unknown.slice(0, -1)).toEqual(known.slice(0, -1))
    expect(unknown.at(-1)).toEqual(failure)
  })

  it('passes the private parameters of a challenge only to `verify`', async () => {
    const seen: unknown[] = []
    const spy: Challenge = {
      ...riddle('a', 'the secret'),
      verify: ({ privateParameters, event, answer }) => {
        seen.push(privateParameters, event.userName, answer)
        return true
      },
    }
    const steps = await play({ challenges: [spy] }, ['guess'])
    expect(JSON.stringify(steps)).not.toContain('the secret')
    expect(seen).toEqual([{ answer: 'the secret', salt: 'a' }, 'ada', 'guess'])
  })

  it('treats an answer as correct only when `verify` returns true', async () => {
    const sloppy: Challenge = { ...riddle('a', '1'), verify: () => 'yes' as never }
    expect(await play({ challenges: [sloppy] }, ['1'])).toEqual([password, put('a', false), failure])
  })

  it('accepts a challenge without parameters', async () => {
    const bare: Challenge = { name: 'bare', create: () => ({}), verify: () => true }
    expect((await play({ challenges: [bare] }, ['']))[1]).toMatchObject({ shown: {}, right: true })
  })

  it('presents no challenge at the wrong time, and refuses answers to challenges that it did not create', async () => {
    const handler = signalbox(userPool(customAuth(one)))
    const proved = ['SRP_A', 'PASSWORD_VERIFIER'].map(name => ({
      challengeName: name,
      challengeResult: true,
    }))
    const odd = [
      createAuthChallengeEvent({ challengeName: 'PASSWORD_VERIFIER', session: proved }),
      createAuthChallengeEvent({ challengeName: 'CUSTOM_CHALLENGE', session: [] }),
    ]
    for (const event of odd) {
      const { response } = await handler(event)
      expect(response).toEqual({ publicChallengeParameters: {}, privateChallengeParameters: {} })
    }
    for (const privateChallengeParameters of [
      {},
      { answer: '1' },
      { 'signalbox:challenge': 'gone', answer: '1' },
    ]) {
      const event = verifyAuthChallengeEvent({ privateChallengeParameters, challengeAnswer: '1' })
      expect((await handler(event)).response).toEqual({ answerCorrect: false })
    }
  })

  it('returns new objects for every event', async () => {
    const routes = customAuth(one)
    const define = () =>
      routes.DefineAuthChallenge(defineAuthChallengeEvent({ session: [] }), {}, {} as never)
    expect(define()).toEqual(define())
    expect(define()).not.toBe(define())
  })

  it.each<[string, unknown, string]>([
    [
      'an empty list of challenges',
      { challenges: [] },
      'needs a list of at least one challenge, such as challenges: [oneTimeCode(…)]',
    ],
    [
      'challenges that are not a list',
      { challenges: riddle('a', '1') },
      'needs a list of at least one challenge, such as challenges: [oneTimeCode(…)]',
    ],
    [
      'a function that makes a challenge instead of a challenge',
      { challenges: [() => {}] },
      'is a function. Call it, as in oneTimeCode',
    ],
    [
      'a string instead of a challenge',
      { challenges: ['one-time-code'] },
      'is not a challenge: expected { name, create, verify }',
    ],
    [
      'a challenge without a name',
      { challenges: [{ create: () => ({}), verify: () => true }] },
      'customAuth(): challenges[0] has no name.',
    ],
    ['a challenge with an empty name', { challenges: [riddle('', '1')] }, 'challenges[0] has no name'],
    [
      'a challenge without the function verify',
      { challenges: [{ ...riddle('a', '1'), verify: true }] },
      'no function verify',
    ],
    [
      'a string as maxAttempts',
      { ...one, maxAttempts: '3' },
      'maxAttempts is a whole number from 1 up, not "3"',
    ],
    [
      'missing options',
      undefined,
      'customAuth() takes an object of challenges, maxAttempts, firstFactor, not undefined',
    ],
    [
      'two challenges with the same name',
      { challenges: [riddle('a', '1'), riddle('a', '2')] },
      'two challenges named "a"',
    ],
    ['a maxAttempts of 0', { ...one, maxAttempts: 0 }, 'maxAttempts is a whole number from 1 up, not 0'],
    [
      'a maxAttempts of 1.5',
      { ...one, maxAttempts: 1.5 },
      'maxAttempts is a whole number from 1 up, not 1.5',
    ],
    [
      'an unknown firstFactor',
      { ...one, firstFactor: 'nocturne' },
      'firstFactor is srp, none or either, not "nocturne"',
    ],
    ['an unknown option', { ...one, attempts: 3 }, 'customAuth() has no option "attempts"'],
  ])('refuses %s', (_, options, message) => {
    expect(() => customAuth(options as never)).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTION',
        message: expect.stringContaining(message),
      }) as never as InvalidOptionError,
    )
  })
})
