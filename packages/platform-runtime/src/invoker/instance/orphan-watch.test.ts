import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from '@jest/globals'

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Returns whether a process group has processes. */
const isAlive = (leader: number) => {
  try {
    return process.kill(-leader, 0)
  } catch {
    return false
  }
}

/** Kills a platform whose function has started processes. Returns whether any of them is still running. */
async function survivors(how: string): Promise<boolean> {
  const child = fork(new URL('../testing/parents-to-kill.ts', import.meta.url), [how], {
    execArgv: ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning'],
  })
  const [instance] = (await once(child, 'message')) as [number]
  expect(isAlive(instance)).toBe(true)
  if (how === 'after its instance') {
    // A stopped platform cannot react any more.
    child.kill('SIGSTOP')
    process.kill(instance, 'SIGKILL')
    await pause(50)
    expect(isAlive(instance)).toBe(true)
  }
  child.kill('SIGKILL')
  for (let tries = 0; tries < 1000 && isAlive(instance); tries++) await pause(20)
  return isAlive(instance)
}

// Without the watcher, half of these runs left processes behind, and the runs of "after its instance" always did.
it.each([
  ['idle processes of a function', 'idle'],
  ['busy processes of a function', 'busy'],
  ['processes that an ended instance left behind', 'after its instance'],
])(
  'when the platform is killed, %s end',
  async (_case, how) => {
    const left = await Promise.all(Array.from({ length: 4 }, () => survivors(how)))
    expect(left).toEqual([false, false, false, false])
  },
  60_000,
)
