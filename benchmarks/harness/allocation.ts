import type { Work } from './work.ts'

export type Allocations = readonly {
  readonly setup: string
  readonly contender: string
  /** The number of heap bytes that one run allocates. */
  readonly bytes: number
}[]

/**
 * The number of bytes that may be allocated between two measurements of the heap without causing a garbage collection
 * (see `run-work.ts`).
 */
const allocationBudget = 32 * 2 ** 20

/** Returns the number of bytes that each contender allocates in one run after warming up. */
export async function allocations(work: Work): Promise<Allocations> {
  const found: { setup: string; contender: string; bytes: number }[] = []
  for (const setup of work.setups) {
    for (const { name, run } of setup.contenders) {
      found.push({ setup: setup.name, contender: name, bytes: await bytesPerRun(run) })
    }
  }
  return found
}

async function bytesPerRun(run: () => unknown): Promise<number> {
  await warm(run)
  const once = await grown(run, 1)
  const times = Math.max(1, Math.min(2_000, Math.floor(allocationBudget / Math.max(once, 1))))
  const seen: number[] = []
  // Uses the minimum of a few runs, because other work of the process only adds bytes.
  for (let i = 0; i < (times === 1 ? 2 : 5); i++) seen.push((await grown(run, times)) / times)
  return Math.max(0, Math.round(Math.min(...seen)))
}

async function grown(run: () => unknown, times: number): Promise<number> {
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < times; i++) {
    const result = run()
    if (result instanceof Promise) await result
  }
  return process.memoryUsage().heapUsed - before
}

/** Runs a contender until its code is optimized, because the optimization may remove allocations. */
async function warm(run: () => unknown): Promise<void> {
  const end = performance.now() + 150
  let runs = 0
  do {
    const result = run()
    if (result instanceof Promise) await result
  } while (++runs < 20_000 && performance.now() < end)
}
