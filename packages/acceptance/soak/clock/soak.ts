import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { generator } from '@signalbox/platform-runtime/testing/generator'
import { type PlatformProcess, startPlatform } from '../platform-process.ts'
import { type Answer, type ClockClients, clockClients } from './clock-clients.ts'
import { faketimeIn, type Means, means, throwClock } from './throw-clock.ts'
import { type Visitor, visitor } from './visitor.ts'

export interface ClockSoakOptions {
  /** The number of times that the wall clock is thrown and comes back. */
  readonly throws: number
  /** The seed of the random number generator. */
  readonly seed: number
  /** The ways to throw the clock. Default: all that work on this machine. */
  readonly by?: readonly Means[]
  readonly say?: (text: string) => void
}

export interface ClockSoakFigures {
  readonly throws: number
  readonly restarts: number
  readonly requests: number
  /** The violations, with one sentence for each. */
  readonly violations: readonly string[]
}

const program = new URL('./clock-platform.ts', import.meta.url)
const hour = 3_600_000

/** How far the clock is thrown, in milliseconds. */
const distances = [hour, -hour, 400 * 24 * hour, -24 * hour, 90_000, 10 * 365 * 24 * hour]

/** When the platform is killed and started again: never, while the clock is wrong, or after it is right again. */
const restarts = ['never', 'while it is wrong', 'afterwards'] as const

/**
 * Throws the wall clock of a platform forward and back, with and without a restart, and checks that everyone is served
 * meanwhile and afterwards.
 */
export async function clockSoak({
  throws,
  seed,
  by = means,
  say = () => {},
}: ClockSoakOptions): Promise<ClockSoakFigures> {
  const violations: string[] = []
  let [done, restarted, requests] = [0, 0, 0]
  for (const way of by) {
    const random = generator(seed)
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-soak-'))
    let wrong = 0
    const set = (ms: number) => {
      wrong = ms
      throwClock(folder, ms)
    }
    let platform: PlatformProcess | undefined
    let clients: ClockClients
    const start = async () => {
      platform = await startPlatform(program, folder, [way], faketimeIn(folder, way))
      const [pools, queues] = platform.url.split(' ') as [string, string]
      const made = clockClients({ pools, queues }, () => Date.now() + wrong)
      const counted = (answer: Promise<Answer>) => {
        requests++
        return answer
      }
      clients = {
        pool: (...request) => counted(made.pool(...request)),
        signed: (...request) => counted(made.signed(...request)),
      }
    }
    const restart = async () => {
      restarted++
      await platform?.kill()
      await start()
    }
    try {
      set(0)
      await start()
      for (let turn = 0; turn < throws; turn++) {
        const distance = distances[(turn + Math.floor(random() * 2) * 2) % distances.length]!
        const restartsWhen = restarts[turn % restarts.length]!
        const about = `${way}, ${distance / 1000} s, restart ${restartsWhen}`
        const report = (text: string) => void violations.push(`${about}: ${text}`)
        const now = () => Date.now() + wrong
        const ann: Visitor = visitor(`ann${way}${turn}`, () => clients, now, report)
        await ann.begins()
        set(distance)
        await ann.isServed('while the clock is wrong')
        if (restartsWhen === 'while it is wrong') {
          await restart()
          await ann.isServed('after a restart while the clock is wrong')
        }
        await ann.isLocked()
        set(0)
        if (restartsWhen === 'afterwards') await restart()
        // The lock of six wrong passwords lasts two seconds. It begins again with a restart whose clock was set back.
        await delay(2100)
        await ann.isServed('after the clock is right again')
        await ann.ends({ staysSignedIn: restartsWhen !== 'while it is wrong' || distance < 20 * 24 * hour })
        done++
        say(about)
      }
      await restart()
      const last = visitor(
        `last${way}`,
        () => clients,
        Date.now,
        text => void violations.push(`${way}, at the end: ${text}`),
      )
      await last.begins()
      await last.isServed('after the last restart')
      await last.ends({ staysSignedIn: true })
    } finally {
      await platform?.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return { throws: done, restarts: restarted, requests, violations }
}
