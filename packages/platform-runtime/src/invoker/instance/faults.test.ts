import { fork } from 'node:child_process'
import { afterAll, describe, expect, it } from '@jest/globals'
import { testInvoker } from '../testing/process-test-invoker.ts'
import { faults } from './faults.fuzz.ts'

const shop = testInvoker({ timeout: 20_000 })
afterAll(shop.stop)

describe('a fault in a function', () => {
  it.each(Object.entries(faults))(
    'fails only the invocation in which it happens ("%s")',
    async (what, { kind, message, limit }) => {
      const { failure, payload, logs } = await shop.invoke({ do: what }, limit)
      expect(failure).toEqual({ kind, message: expect.stringMatching(message) })
      expect(JSON.parse(payload)).toMatchObject({ errorMessage: expect.any(String) })
      expect(logs[0]).toEqual({ stream: 'out', text: `doing ${what}` })
      expect((await shop.invoke({ do: 'answer' })).failure).toBeUndefined()
      expect(shop.instances()).toBe(1)
    },
  )
})

it('an instance ends when the platform is killed, even if its function never yields', async () => {
  const platform = fork(new URL('../testing/platform-to-kill.ts', import.meta.url), {
    execArgv: ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning'],
  })
  const pid = await new Promise<number>(resolve => platform.once('message', resolve))
  expect(process.kill(pid, 0)).toBe(true)
  platform.kill('SIGKILL')
  const isGone = () => {
    try {
      return !process.kill(pid, 0)
    } catch {
      return true
    }
  }
  // The instance ends soon after its pipe to the platform closes. On a busy machine, this takes longer.
  for (let tries = 0; tries < 1000 && !isGone(); tries++)
    await new Promise(resolve => setTimeout(resolve, 20))
  expect(isGone()).toBe(true)
})
