import { expect, it } from '@jest/globals'

const work = { powers: 0, commits: 0, reads: 0 }

// The arithmetic of SRP is one function of Node. The test replaces it by a counting one before any module imports it.
const crypto = process.getBuiltinModule('node:crypto') as { publicEncrypt: (...args: never[]) => unknown }
const { publicEncrypt } = crypto
crypto.publicEncrypt = (...args) => {
  work.powers++
  return publicEncrypt(...args)
}
const { poolSetup } = await import('../../testing/pool-setup.ts')

type Setup = Awaited<ReturnType<typeof poolSetup>>

/** Counts the calls of the store. */
function countStore({ store }: Setup): void {
  const methods = store as unknown as Record<string, (...args: unknown[]) => unknown>
  for (const [name, method] of Object.entries(methods))
    methods[name] = (...args) => {
      if (['change', 'count', 'setMessage'].includes(name)) work.commits++
      else work.reads++
      return method(...args)
    }
}

async function workOf(task: () => Promise<unknown>): Promise<typeof work> {
  Object.assign(work, { powers: 0, commits: 0, reads: 0 })
  await task().catch(() => {})
  return { ...work }
}

it('the count of SRP operations works', async () => {
  await using setup = await poolSetup()
  expect((await workOf(() => setup.signIn('bob', 'Wrong-7even'))).powers).toBe(1)
})

it.each<[string, (setup: Setup, name: string) => Promise<unknown>]>([
  ['a wrong password', (setup, name) => setup.signIn(name, 'Wrong-7even')],
  ['a forgotten password', (setup, Username) => setup.call('ForgotPassword', { ClientId: 'web', Username })],
  ['a wrong proof by SRP', async (setup, name) => (await setup.srp(name, 'Wrong-7even')).respond()],
])('%s is as much work for an unknown name as for a user', async (_what, guess) => {
  await using setup = await poolSetup()
  await setup.user('ann')
  countStore(setup)
  const known = await workOf(() => guess(setup, 'ann'))
  const unknown = await workOf(() => guess(setup, 'bob'))
  expect(known.commits).toBeGreaterThan(0)
  expect(unknown).toEqual(known)
})
