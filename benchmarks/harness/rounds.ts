import { do_not_optimize } from 'mitata'
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
  /** The time for which a contender runs in a round, in nanoseconds, unless the work has a time of its own. */
  readonly time: number
}

/**
 * Times all setups and contenders of a work. They alternate in short rounds, so that other load on the machine
 * affects all of them equally. Ratios are computed within a round. Each round starts with a different contender, so
 * that no contender always runs after the same one.
 */
export async function timeInRounds(work: Work, { rounds, time: usual }: RoundOptions): Promise<Timings> {
  const time = work.roundTime ?? usual
  const cells: Cell[] = []
  for (const { name: setup, contenders } of work.setups) {
    for (const { name, run } of contenders)
      cells.push({ setup, contender: name, run, loop: await loopOf(run), runs: 0, rounds: [] })
  }
  const clock = work.waits === true ? wallClock : cpuClock
  const slow = new Set<unknown>()
  for (const cell of cells) {
    if ((await once(cell.run)) > slowness) slow.add(cell)
    else {
      // The first runs of a contender are slower. The number of runs is counted after them.
      await mean(cell.loop, warmUp, clock, await runsInSample(cell.loop, clock))
      cell.runs = await runsInSample(cell.loop, clock)
    }
  }
  for (let round = 0; round < rounds; round++) {
    const first = round % cells.length
    for (const cell of [...cells.slice(first), ...cells.slice(0, first)]) {
      if (!slow.has(cell)) cell.rounds.push(await mean(cell.loop, time, clock, cell.runs))
      else if (round % roundsOfSlow === 0) cell.rounds.push(await once(cell.run))
      else cell.rounds.push(cell.rounds.at(-1)!)
    }
  }
  return cells
}

interface Cell {
  readonly setup: string
  readonly contender: string
  readonly run: () => unknown
  readonly loop: Loop
  /** The number of runs in a sample. */
  runs: number
  readonly rounds: number[]
}

/** The time in nanoseconds for which a contender runs before anything is timed. */
const warmUp = 50e6

/**
 * The time in nanoseconds above which a run is timed only once, and not in every round. A run of this length is long
 * enough to be measured on its own.
 */
const slowness = 250e6

/** Slow runs are timed once in this number of rounds. The other rounds have the same time. */
const roundsOfSlow = 5

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

/** Returns the mean time of a run. All samples count. Without the longest ones, long runs would have an advantage. */
async function mean(loop: Loop, time: number, now: () => number, runs: number): Promise<number> {
  let taken = 0
  let count = 0
  while (taken < time) {
    const start = now()
    await loop(runs)
    taken += now() - start
    count += runs
  }
  return taken / count
}

/** Runs a contender a number of times. */
type Loop = (runs: number) => Promise<void>

/**
 * Returns the loop of one contender. It is made once, so that the turns of a contender run the same optimized code.
 * Each loop has a text of its own, because V8 would otherwise share what it learns about the calls.
 */
async function loopOf(run: () => unknown): Promise<Loop> {
  const result = run()
  await result
  const call = result instanceof Promise ? 'await run()' : 'run()'
  // The results are kept, so that the compiler cannot remove the calls.
  const text = `return async runs => { for (let i = 0; i < runs; i++) keep(${call}) } // ${loops++}`
  return new Function('run', 'keep', text)(run, do_not_optimize) as Loop
}

let loops = 0

/**
 * The time of a sample in nanoseconds. Many short runs form one sample, so that the time of reading the clock does not
 * matter.
 */
const sampleTime = 5e6

/** Returns the number of runs in a sample. */
async function runsInSample(loop: Loop, now: () => number): Promise<number> {
  for (let runs = 1; ; runs *= 2) {
    const start = now()
    await loop(runs)
    const taken = now() - start
    if (taken >= sampleTime) return Math.ceil((runs * sampleTime) / taken)
  }
}
