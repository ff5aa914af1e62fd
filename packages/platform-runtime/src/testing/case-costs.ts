import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The processor time in milliseconds that a case may use in this thread. */
const timeLimit = 100

/** The number of attempts at a case. A garbage collection during one attempt does not slow down the next. */
const attempts = 3

/** The number of bytes by which the memory in use may grow during the second half of the cases. */
const memoryLimit = 8 * 1024 * 1024

/** The greatest number of looks at the memory in use. */
const looks = 5

/** The number of bytes by which the memory must fall between two looks for another look. */
const noticeable = 256 * 1024

/** The memory and time that the cases of a fuzz run cost the serving process. */
export interface CaseCosts {
  /**
   * Runs a case, and repeats it if it took too long.
   * @throws an error that names the case when it takes too long each time
   */
  readonly hold: (what: () => string, run: () => Promise<void> | void) => Promise<void>
  /**
   * Runs all cases in two halves.
   * @throws an error when more memory is in use after the second half than before
   */
  readonly inHalves: (half: (number: 0 | 1) => Promise<void>) => Promise<void>
  /** Returns the figures as a part of a sentence. */
  readonly figures: () => string
}

export function caseCosts(): CaseCosts {
  let slowest = 0
  let growth = 0
  return {
    async hold(what, run) {
      let time = 0
      for (let attempt = 0; attempt < attempts; attempt++) {
        const before = process.threadCpuUsage()
        await run()
        const { user, system } = process.threadCpuUsage(before)
        time = (user + system) / 1000
        if (time <= timeLimit) {
          slowest = Math.max(slowest, time)
          return
        }
      }
      throw new Error(`${time} ms of processor time for ${what()}`)
    },
    async inHalves(half) {
      await half(0)
      const before = await bytesInUse((now, earlier) => now > earlier - noticeable)
      await half(1)
      growth = (await bytesInUse(now => now - before <= memoryLimit)) - before
      if (growth > memoryLimit) throw new Error(`${growth} bytes of memory stay`)
    },
    figures: () =>
      `the slowest took ${slowest.toFixed(1)} ms, ${(growth / 1024 / 1024).toFixed(1)} MB stayed`,
  }
}

/**
 * Returns the memory in use in bytes after garbage collection and after clients and servers have released their objects.
 * Looks a few times, because they release them a little later, and each look takes a second in a worker that has run many
 * tests.
 * @param isEnough whether no further look is needed, after a look and the least of the looks before it
 */
async function bytesInUse(isEnough: (now: number, earlier: number) => boolean): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let least = Number.POSITIVE_INFINITY
  for (let look = 0; look < looks; look++) {
    await delay(100)
    collect()
    const { heapUsed, external } = process.memoryUsage()
    const now = heapUsed + external
    const earlier = least
    least = Math.min(now, earlier)
    if (isEnough(now, earlier)) break
  }
  return least
}
