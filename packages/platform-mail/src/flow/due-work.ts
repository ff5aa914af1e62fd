import type { Clock } from '@signalbox/core'

/** Work that is due at times, each piece under a key of its own. Times in milliseconds since the epoch. */
export interface DueWork {
  /** Pieces that may be worked on at a time. */
  readonly atATime: number
  /** The keys of what is due, the first due first. */
  readonly due: (now: number, most: number) => readonly string[]
  /** When the first is due that is not due yet. */
  readonly nextAfter: (now: number) => number | undefined
  /** What is done is not due any more. */
  readonly run: (key: string) => Promise<void>
  /** Told what nobody expected. That piece rests for a while, and is then taken anew. */
  readonly failed: (error: unknown) => void
}

/** Works on what is due, until it is stopped. */
export interface Worker {
  /** Looks for what is due, because something may be that was not. */
  readonly wake: () => void
  /** Takes nothing more, and resolves when what is under way is done, or after `grace` milliseconds. */
  readonly stop: (grace: number) => Promise<void>
}

/** Milliseconds for which work rests that ended in an error nobody expected, such as a disk that cannot be written to. */
const rest = 60_000

/** Takes what is due as it becomes due, and looks again when it is told to; nothing is polled. */
export function worker({ atATime, due, nextAfter, run, failed }: DueWork, clock: Clock): Worker {
  const running = new Map<string, Promise<void>>()
  const resting = new Map<string, () => void>()
  let cancel = () => {}
  let stopped = false

  const take = (key: string) => {
    const work = run(key)
      .catch((error: unknown) => {
        failed(error)
        if (stopped) return
        const awake = () => {
          resting.delete(key)
          wake()
        }
        resting.set(key, clock.after(rest, awake))
      })
      .finally(() => {
        running.delete(key)
        wake()
      })
    running.set(key, work)
  }

  const look = (): number | undefined => {
    const now = clock.now()
    const free = atATime - running.size
    // Whoever is done looks again.
    if (free <= 0) return undefined
    const keys = due(now, atATime + resting.size).filter(key => !running.has(key) && !resting.has(key))
    for (const key of keys.slice(0, free)) take(key)
    const next = nextAfter(now)
    return next === undefined ? undefined : next - now
  }

  const wake = () => {
    cancel()
    if (stopped) return
    let wait: number | undefined
    try {
      wait = look()
    } catch (error) {
      failed(error)
      wait = rest
    }
    cancel = wait === undefined ? () => {} : clock.after(wait, wake)
  }

  return {
    wake,
    stop(grace) {
      stopped = true
      cancel()
      for (const stopResting of resting.values()) stopResting()
      return new Promise(resolve => {
        const cancelGrace = clock.after(grace, resolve)
        void Promise.all(running.values()).then(() => {
          cancelGrace()
          resolve()
        })
      })
    },
  }
}
