import { measure } from 'mitata'
import type { Work } from './work.ts'

/** The mean time of a run in nanoseconds, for each round of each setup and contender. */
export type Timings = readonly {
  readonly setup: string
  readonly contender: string
  readonly rounds: readonly number[]
}[]

export interface RoundOptions {
  /** The number of timed rounds, after one round without timing. */
  readonly rounds: number
  /** The time for which a contender runs in a round, in nanoseconds. */
  readonly time: number
}

/**
 * Times all setups and contenders of a work. They alternate in each round, so that other load on the machine
 * affects all of them equally. Ratios are computed within a round. Each round starts with a different
 * contender, so that no contender always runs after the same one.
 */
export async function timeInRounds(work: Work, { rounds, time }: RoundOptions): Promise<Timings> {
  const cells = work.setups.flatMap(setup =>
    setup.contenders.map(({ name, run }) => ({
      setup: setup.name,
      contender: name,
      run: withoutParameters(run),
      rounds: [] as number[],
    })),
  )
  const clock = work.waits === true ? wallClock : cpuClock
  const slow = new Set<unknown>()
  for (const cell of cells) {
    if ((await once(cell.run)) > slowness) slow.add(cell)
    else await mean(cell.run, time, clock)
  }
  for (let round = 0; round < rounds; round++) {
    const first = Math.round((cells.length * round) / rounds)
    for (const cell of [...cells.slice(first), ...cells.slice(0, first)]) {
      cell.rounds.push(slow.has(cell) ? await once(cell.run) : await mean(cell.run, time, clock))
    }
  }
  return cells
}

/**
 * The time in nanoseconds above which a run is timed only once in a round. A run of this length is long enough to be
 * measured on its own.
 */
const slowness = 250e6

/**
 * Returns the processor time of this thread in nanoseconds. Unlike a wall clock, it does not advance while the
 * machine does other work, so the figures vary less on a busy machine.
 */
function cpuClock(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) * 1e3
}

function wallClock(): number {
  return performance.now() * 1e6
}

async function once(run: () => unknown): Promise<number> {
  const start = performance.now()
  await run()
  return (performance.now() - start) * 1e6
}

async function mean(run: () => unknown, time: number, now: () => number): Promise<number> {
  const stats = await measure(run, {
    now,
    min_cpu_time: time,
    min_samples: 6,
    batch_samples: 512,
    // The time in nanoseconds below which many runs form one sample, so that the time of reading the clock
    // does not matter.
    batch_threshold: 15_000,
    // All samples count. If a thread's clock advances in steps of milliseconds, the longest samples are not outliers,
    // because they contain the time that is missing in others. Dropping them would favour contenders with more samples.
    samples_threshold: Number.POSITIVE_INFINITY,
  })
  return stats.avg
}

/** Wraps a function, because the timer treats functions with parameters differently. */
function withoutParameters(run: () => unknown): () => unknown {
  return run.length === 0 ? run : () => run()
}
