import { syncBuiltinESMExports } from 'node:module'
import type { Worker } from 'node:worker_threads'
import { expect, it } from '@jest/globals'
import { poolSetup, poolId as UserPoolId } from '../testing/pool-setup.ts'

// The counting functions replace those of Node in every module.
const crypto = process.getBuiltinModule('node:crypto') as unknown as {
  pbkdf2: (...args: readonly unknown[]) => unknown
}
const { pbkdf2 } = crypto
let computed = 0
crypto.pbkdf2 = (...args) => {
  computed++
  return pbkdf2(...args)
}
const threads = process.getBuiltinModule('node:worker_threads') as { Worker: typeof Worker }
let started = 0
let running = 0
let mostRunning = 0
threads.Worker = class extends threads.Worker {
  constructor(...args: ConstructorParameters<typeof Worker>) {
    super(...args)
    started++
    running++
    mostRunning = Math.max(mostRunning, running)
    this.once('message', () => running--)
  }
}
syncBuiltinESMExports()

async function guessesAt(passwordHash: string): Promise<void> {
  await using setup = await poolSetup()
  const id = '00000000-0000-4000-8000-000000000000'
  const ann = { id, name: 'ann', status: 'CONFIRMED', enabled: true, attributes: {}, created: 1, modified: 1 }
  await setup.call('ImportUsers', { UserPoolId, Users: [{ ...ann, passwordHash }] })
  const guesses = Array.from({ length: 20 }, (_, at) => setup.signIn('ann', `Wrong-${at}`))
  const messages = (await Promise.allSettled(guesses)).map(each => each.status === 'rejected' && each.reason)
  expect(messages.filter(({ message }) => message === 'Password attempts exceeded')).toHaveLength(15)
}

it('of guesses that are sent at once, five are computed', async () => {
  await guessesAt(
    '$pbkdf2-sha256$i=1000,l=32$c2FsdHNhbHRzYWx0c2FsdA$hfX8GcD0koya/5w6ZkDAyjq4XGndyu13Q2QomxIdvb0',
  )
  expect(computed).toBe(5)
})

it('of guesses at bcrypt, too, each in another thread, one at a time', async () => {
  await guessesAt('$2b$05$abcdefghijklmnopqrstuuxE8d9bJSqc5XmiGf7LqKS10C8qeASfK')
  expect([started, mostRunning]).toEqual([5, 1])
})
