import { expect, it } from '@jest/globals'
import { defineAuthChallengeEvent } from '../testing/index.ts'
import { customAuth } from './custom-auth.ts'

const names = [
  'SRP_A',
  'PASSWORD_VERIFIER',
  'CUSTOM_CHALLENGE',
  'SMS_MFA',
  'DEVICE_SRP_AUTH',
  'DEVICE_PASSWORD_VERIFIER',
  'ADMIN_NO_SRP_AUTH',
  'WHATEVER_COMES_NEXT',
]
const items = names.flatMap(challengeName =>
  [true, false].map(challengeResult => ({ challengeName, challengeResult })),
)

function* sessions(longest: number): Generator<typeof items> {
  let level: (typeof items)[] = [[]]
  for (let length = 0; length <= longest; length++) {
    yield* level
    level = level.flatMap(session => items.map(item => [...session, item]))
  }
}

const neither = { issueTokens: false, failAuthentication: false }

/** The decision pattern of the contract. Each decision depends on the number of items and on the last item. */
const pattern: readonly (readonly [
  length: number,
  last: string,
  results: readonly boolean[],
  answer: object,
])[] = [
  // "with one session item named `SRP_A`, the challenge `PASSWORD_VERIFIER` is issued"
  [1, 'SRP_A', [true, false], { challengeName: 'PASSWORD_VERIFIER', ...neither }],
  // "With two items where the second is a successful `PASSWORD_VERIFIER`, `CUSTOM_CHALLENGE` is issued"
  [2, 'PASSWORD_VERIFIER', [true], { challengeName: 'CUSTOM_CHALLENGE', ...neither }],
  // "With three items where the third is a successful `CUSTOM_CHALLENGE`, tokens are issued"
  [3, 'CUSTOM_CHALLENGE', [true], { issueTokens: true, failAuthentication: false }],
]

// "In any other case authentication fails"
const failure = { issueTokens: false, failAuthentication: true }

it('customAuth with one challenge follows the contract for every session of up to four items', () => {
  const challenge = { name: 'any', create: () => ({}), verify: () => true }
  const { DefineAuthChallenge } = customAuth({ challenges: [challenge] })
  const event = defineAuthChallengeEvent()
  let count = 0
  for (const session of sessions(4)) {
    count++
    const last = session.at(-1)
    const row = pattern.find(
      ([length, name, results]) =>
        length === session.length && name === last?.challengeName && results.includes(last.challengeResult),
    )
    const answer = DefineAuthChallenge({ ...event, request: { ...event.request, session } }, {}, {} as never)
    const expected = row?.[3] ?? failure
    // The answers are compared as text, because a hundred thousand calls of `expect` would be slow.
    if (JSON.stringify(answer) !== JSON.stringify(expected))
      expect({ session, answer }).toEqual({ session, answer: expected })
  }
  expect(count).toBe(1 + 16 + 16 ** 2 + 16 ** 3 + 16 ** 4)
})
