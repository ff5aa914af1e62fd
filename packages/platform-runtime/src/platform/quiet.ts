import { setImmediate, setTimeout } from 'node:timers/promises'
import type { InFlight } from '../invocation/in-flight.ts'

/** Turns of the event loop after which nothing follows from a timer that begins no invocation. */
const turns = 4

/** Milliseconds after an invocation in which its effects are stored, and the next timers are set. */
const effectTime = 25

/** The longest time that `idle` waits, in milliseconds. An invocation may be waiting for its caller. */
const longestIdleWait = 1000

/** Waits until no invocation is running, with its effects. Gives up after a second. */
export async function idle(work: Pick<InFlight, 'counts'>): Promise<void> {
  const end = performance.now() + longestIdleWait
  while (work.counts().running > 0 && performance.now() < end) await setTimeout(1)
  await setTimeout(effectTime)
}

/**
 * Returns a function that waits until the invocations that began since its last call, or since now, have ended, with
 * their effects. Those that run already may be waiting for the caller.
 */
export function quiet(work: Pick<InFlight, 'counts'>): () => Promise<void> {
  const { running: others } = work.counts()
  let { begun } = work.counts()
  return async () => {
    for (let turn = 0; turn < turns; turn++) {
      await setImmediate()
      if (work.counts().begun === begun) continue
      begun = work.counts().begun
      while (work.counts().running > others) await setTimeout(1)
      await setTimeout(effectTime)
      turn = 0
    }
  }
}
