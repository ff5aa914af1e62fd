import { measure } from 'mitata'
import type { Work } from './work.ts'

/** Mean nanoseconds of one run, round by round, for each setup and contender. */
export type Timings = readonly {
  readonly setup: string
  readonly contender: string
  readonly rounds: readonly number[]
}[]

export interface RoundOptions {
  /** The number of timed rounds, after one round without timing. */
  readonly rounds: number
  /** Nanoseconds that one contender is run for in one round. */
  readonly time: number
}

/**
 * Times all setups and contenders of a work, in turn in each round, so that other load on the machine affects all of
 * them alike. Ratios are taken within a round. Each round starts one place later, so that no contender always runs
 * after the same one.
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
 * The nanoseconds above which a run is timed once in a round. Such a run waits for something, or differs clearly
 * anyway.
 */
const slowness = 250e6

/**
 * Nanoseconds that this thread has computed. Unlike a wall clock, it does not advance while the machine does other
 * work, so a busy machine spreads the figures less.
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
    // Nanoseconds below which many runs make one sample, so that reading the clock does not count.
    batch_threshold: 15_000,
    // All samples count. Where a thread's clock steps by milliseconds, the longest samples are not outliers: they
    // contain the time that others lack. Dropping some, as is usual, favours contenders with more samples.
    samples_threshold: Number.POSITIVE_INFINITY,
  })
  return stats.avg
}

/** The timer treats functions with parameters differently. */
function withoutParameters(run: () => unknown): () => unknown {
  return run.length === 0 ? run : () => run()
}
