import { describe, expect, it } from '@jest/globals'
import { authProgress, type FirstFactor } from './auth-progress.ts'

interface Item {
  readonly challengeName: string
  readonly challengeResult: boolean
}

const one = { challenges: 1, maxAttempts: 1, firstFactor: 'srp' as FirstFactor }
const srp = { challengeName: 'SRP_A', challengeResult: true }
const proved = { challengeName: 'PASSWORD_VERIFIER', challengeResult: true }
const right = { challengeName: 'CUSTOM_CHALLENGE', challengeResult: true }
const wrong = { challengeName: 'CUSTOM_CHALLENGE', challengeResult: false }
const next = (session: readonly Item[], flow: Partial<typeof one> = {}) => {
  const progress = authProgress(session, { ...one, ...flow })
  return progress.next === 'challenge' ? progress.position : progress.next
}

/** Describes the items of a session for the title of a test. */
const words = (session: readonly Item[]) =>
  session
    .map(({ challengeName, challengeResult }) =>
      challengeName === 'CUSTOM_CHALLENGE' ? (challengeResult ? 'right' : 'wrong') : challengeName,
    )
    .join(', ')
const place = (expected: unknown) => (typeof expected === 'number' ? `challenge ${expected + 1}` : expected)

describe('authProgress with three attempts', () => {
  it.each(
    (
      [
        [[], 0],
        [[wrong], 0],
        [[wrong, wrong], 0],
        [[wrong, wrong, wrong], 'failure'],
        [[wrong, wrong, right], 'tokens'],
        [[right], 'tokens'],
        [[right, wrong], 'failure'],
        [[wrong, wrong, wrong, right], 'failure'],
      ] as [Item[], unknown][]
    ).map(([answers, expected]) => [words(answers), place(expected), answers, expected] as const),
  )('after the answers [%s], the next step is %s', (_words, _place, answers, expected) => {
    expect(next([srp, proved, ...answers], { maxAttempts: 3 })).toBe(expected)
  })
})

describe('authProgress with three challenges', () => {
  it.each(
    (
      [
        [[], 0],
        [[right], 1],
        [[wrong, right], 1],
        [[right, right], 2],
        [[right, right, right], 'tokens'],
        [[wrong, right, wrong, right, wrong, right], 'tokens'],
        [[right, wrong, wrong], 'failure'],
        [[right, right, right, right], 'failure'],
        [[right, { challengeName: 'SMS_MFA', challengeResult: true }], 'failure'],
      ] as [Item[], unknown][]
    ).map(([answers, expected]) => [words(answers), place(expected), answers, expected] as const),
  )('after the answers [%s], the next step is %s', (_words, _place, answers, expected) => {
    expect(next([srp, proved, ...answers], { challenges: 3, maxAttempts: 2 })).toBe(expected)
  })
})

describe('authProgress with one challenge', () => {
  it.each(
    (
      [
        ['srp', [], 'failure'],
        ['srp', [right], 'failure'],
        ['none', [], 0],
        ['none', [right], 'tokens'],
        ['none', [wrong], 'failure'],
        ['none', [srp], 'failure'],
        ['none', [srp, proved, right], 'failure'],
        ['either', [], 0],
        ['either', [right], 'tokens'],
        ['either', [srp], 'password'],
        ['either', [srp, proved], 0],
        ['either', [srp, proved, right], 'tokens'],
        ['either', [srp, { ...proved, challengeResult: false }], 'failure'],
        ['either', [proved], 'failure'],
      ] as [FirstFactor, Item[], unknown][]
    ).map(
      ([firstFactor, session, expected]) =>
        [firstFactor, words(session), place(expected), session, expected] as const,
    ),
  )(
    'with firstFactor "%s" and the session [%s], the next step is %s',
    (firstFactor, _words, _place, session, expected) => {
      expect(next(session, { firstFactor })).toBe(expected)
    },
  )
})

describe('authProgress with any session', () => {
  const items = ['SRP_A', 'PASSWORD_VERIFIER', 'CUSTOM_CHALLENGE', 'SMS_MFA'].flatMap(challengeName =>
    [true, false].map(challengeResult => ({ challengeName, challengeResult })),
  )
  const sessions = [[]] as Item[][]
  for (const session of sessions) {
    if (session.length < 5) sessions.push(...items.map(item => [...session, item]))
  }
  // Each item becomes one letter, so that a regular expression can check a session.
  const letters = new Map(items.map((item, place) => [item, 'SsPpRwXx'[place]]))

  it.each<[FirstFactor, RegExp]>([
    ['srp', /^[Ss]P(w?R){2}$/],
    ['none', /^(w?R){2}$/],
    ['either', /^([Ss]P)?(w?R){2}$/],
  ])('issues tokens only after every step that the firstFactor "%s" requires', (firstFactor, way) => {
    const wrong = sessions.filter(session => {
      const came = way.test(session.map(item => letters.get(item)).join(''))
      return came !== (next(session, { challenges: 2, maxAttempts: 2, firstFactor }) === 'tokens')
    })
    expect(wrong).toEqual([])
  })
})
