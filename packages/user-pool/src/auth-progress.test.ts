import { describe, expect, it } from '@jest/globals'
import { authProgress, type Prelude } from './auth-progress.ts'

interface Item {
  readonly challengeName: string
  readonly challengeResult: boolean
}

const one = { challenges: 1, maxAttempts: 1, prelude: 'srp' as Prelude }
const srp = { challengeName: 'SRP_A', challengeResult: true }
const proved = { challengeName: 'PASSWORD_VERIFIER', challengeResult: true }
const right = { challengeName: 'CUSTOM_CHALLENGE', challengeResult: true }
const wrong = { challengeName: 'CUSTOM_CHALLENGE', challengeResult: false }
const next = (session: readonly Item[], flow: Partial<typeof one> = {}) => {
  const progress = authProgress(session, { ...one, ...flow })
  return progress.next === 'challenge' ? progress.position : progress.next
}

describe('several attempts', () => {
  it.each([
    [[], 0],
    [[wrong], 0],
    [[wrong, wrong], 0],
    [[wrong, wrong, wrong], 'failure'],
    [[wrong, wrong, right], 'tokens'],
    [[right], 'tokens'],
    [[right, wrong], 'failure'],
    [[wrong, wrong, wrong, right], 'failure'],
  ])('%j leads to %s', (answers, expected) => {
    expect(next([srp, proved, ...answers], { maxAttempts: 3 })).toBe(expected)
  })
})

describe('several challenges', () => {
  it.each([
    [[], 0],
    [[right], 1],
    [[wrong, right], 1],
    [[right, right], 2],
    [[right, right, right], 'tokens'],
    [[wrong, right, wrong, right, wrong, right], 'tokens'],
    [[right, wrong, wrong], 'failure'],
    [[right, right, right, right], 'failure'],
    [[right, { challengeName: 'SMS_MFA', challengeResult: true }], 'failure'],
  ])('in order, attempts counted for each: %j leads to %s', (answers, expected) => {
    expect(next([srp, proved, ...answers], { challenges: 3, maxAttempts: 2 })).toBe(expected)
  })
})

describe('prelude', () => {
  it.each<[Prelude, readonly Item[], unknown]>([
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
  ])('%s: %j leads to %s', (prelude, session, expected) => {
    expect(next(session, { prelude })).toBe(expected)
  })
})
