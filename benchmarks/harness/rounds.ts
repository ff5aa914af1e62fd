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
      runs: 0,
      rounds: [] as number[],
    })),
  )
  const clock = work.waits === true ? wallClock : cpuClock
  const slow = new Set<unknown>()
  for (const cell of cells) {
    if ((await once(cell.run)) > slowness) slow.add(cell)
    else {
      // The first runs of a contender are slower. The number of runs is counted after them.
      await mean(cell.run, time, clock, await runsInSample(cell.run, clock))
      cell.runs = await runsInSample(cell.run, clock)
    }
  }
  for (let round = 0; round < rounds; round++) {
    const first = Math.round((cells.length * round) / rounds)
    for (const cell of [...cells.slice(first), ...cells.slice(0, first)]) {
      cell.rounds.push(slow.has(cell) ? await once(cell.run) : await mean(cell.run, time, clock, cell.runs))
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
  // The system counts the time of a thread only at its own ticks, up to 4 ms apart, and when the thread sleeps. So the
  // thread sleeps for a moment before each reading.
  Atomics.wait(sleeper, 0, 0, 0.06)
  const { user, system } = process.threadCpuUsage()
  return (user + system) * 1e3
}

const sleeper = new Int32Array(new SharedArrayBuffer(4))

function wallClock(): number {
  return performance.now() * 1e6
}

async function once(run: () => unknown): Promise<number> {
  const start = performance.now()
  await run()
  return (performance.now() - start) * 1e6
}

async function mean(run: () => unknown, time: number, now: () => number, runs: number): Promise<number> {
  const threshold = runs === 1 ? -1 : Number.POSITIVE_INFINITY
  const stats = await measure(run, {
    now,
    min_cpu_time: time,
    min_samples: 6,
    batch_samples: runs,
    warmup_threshold: threshold,
    batch_threshold: threshold,
    // All samples count. Dropping the longest ones would favour contenders with more samples.
    samples_threshold: Number.POSITIVE_INFINITY,
  })
  return stats.avg
}

/**
 * The time of a sample in nanoseconds. Many short runs form one sample, so that the time of reading the clock does not
 * matter.
 */
const sampleTime = 5e6

/** Returns the number of runs in a sample: 1 for long runs, otherwise a multiple of four, as the timer requires. */
async function runsInSample(run: () => unknown, now: () => number): Promise<number> {
  for (let runs = 4; ; runs *= 2) {
    const start = now()
    for (let i = 0; i < runs; i++) {
      const result = run()
      if (result instanceof Promise) await result
    }
    const taken = now() - start
    if (taken > runs * sampleTime) return 1
    if (taken >= sampleTime) return 4 * Math.ceil((runs * sampleTime) / taken / 4)
  }
}

/** Wraps a function, because the timer treats functions with parameters differently. */
function withoutParameters(run: () => unknown): () => unknown {
  return run.length === 0 ? run : () => run()
}
