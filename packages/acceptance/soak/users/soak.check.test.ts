import { expect, it } from '@jest/globals'
import { createPlatform } from '@signalbox/platform'
import fc from 'fast-check'
import { type Answer, callOperation } from './pool-client.ts'
import { userSoak } from './soak.ts'
import { challenge, staffPool } from './staff-pool.ts'
import { verify } from './verify.ts'
import { type Calls, type Visit, visit } from './visitor.ts'

it('user pools lose no change and accept no code twice, even if the platform is killed at random moments', async () => {
  const seed = fc.readConfigureGlobal().seed!
  const { violations, users, refused } = await userSoak({ users: 12, kills: 3, seed })
  expect({ seed, violations }).toEqual({ seed, violations: [] })
  expect(users).toBe(12)
  expect(refused).toBeGreaterThan(12 * 8)
})

it.each([1, 2, 3])(
  'a soak user reports no violation if the number of lost responses to each refresh is %i',
  async losses => {
    const platform = createPlatform({
      functions: { challenge: { handler: challenge } },
      ...staffPool,
      dataDir: ':memory:',
    })
    const [address] = await platform.start()
    const lost = new Map<string, number>()
    const insist: Calls['insist'] = (operation, input) => callOperation(address!.url, operation, input)
    const once: Calls['once'] = async (operation, input) => {
      const answer = await insist(operation, input)
      const request = JSON.stringify(input)
      const before = lost.get(request) ?? 0
      if (operation !== 'GetTokensFromRefreshToken' || before === losses) return answer
      lost.set(request, before + 1)
      return undefined
    }
    const violations: string[] = []
    const report = (violation: string) => void violations.push(violation)
    await verify([await visit('user0', { once, insist }, report)], { insist }, report)
    await platform.stop()
    expect(violations).toEqual([])
    expect([...lost.values()]).toEqual([losses, losses, losses])
  },
  60_000,
)

it.each<[string, Partial<Visit>, (operation: string, input: object) => boolean, readonly string[]]>([
  ['no violation if all changes were kept', {}, () => true, []],
  ['a lost user', { name: 'bo' }, () => true, ['ann is there, and has not signed up', 'bo is there 0 times']],
  [
    'a lost password',
    {},
    operation => operation !== 'InitiateAuth',
    ['ann cannot sign in with the password that was acknowledged'],
  ],
  [
    'a replaced password that is still valid',
    { oldPasswords: ['old'] },
    () => true,
    ['ann can sign in with a password that was replaced'],
  ],
  [
    'a lost refresh token',
    { refreshToken: 'token' },
    operation => operation !== 'GetTokensFromRefreshToken',
    ['ann has a refresh token that is refused: refused'],
  ],
  [
    'a lost device',
    { device: 'key' },
    operation => operation !== 'AdminGetDevice',
    ['ann has lost a device that was acknowledged'],
  ],
  [
    'a lost second factor',
    { hasFactor: true },
    () => true,
    ['ann is not asked for the second factor that was acknowledged'],
  ],
  [
    'a lost passkey',
    { provePasskey: () => '{}' },
    operation => operation !== 'RespondToAuthChallenge',
    ['ann cannot sign in by the passkey that was acknowledged'],
  ],
  [
    'a code that can be used twice',
    { spent: [{ what: 'code', operation: 'ConfirmSignUp', input: {} }] },
    () => true,
    ['a code of ann could be used twice'],
  ],
])('the check after a user-pool soak finds %s', async (_, visit, isTaken, expected) => {
  const ann: Visit = {
    name: 'ann',
    password: 'p',
    oldPasswords: [],
    refreshToken: undefined,
    device: undefined,
    hasFactor: false,
    usedCode: undefined,
    provePasskey: undefined,
    spent: [],
  }
  const insist = async (operation: string, input: object): Promise<Answer> => {
    if (operation === 'ListUsers') return { ok: { Users: [{ Username: 'ann' }] } }
    return isTaken(operation, input) ? { ok: {} } : { error: { name: 'E', message: 'refused' } }
  }
  const violations: string[] = []
  await verify([{ ...ann, ...visit }], { insist }, text => void violations.push(text))
  expect(violations).toEqual(expected)
})
