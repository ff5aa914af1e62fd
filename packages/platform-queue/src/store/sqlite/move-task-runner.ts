import { setImmediate } from 'node:timers/promises'
import type { Clock } from '@signalbox/core'
import { QueueStoreError } from '../queue-store-error.ts'
import type { MoveStep } from './move-tasks.ts'

/** Milliseconds between two steps of a task that may only move so many messages a second. */
const second = 1000

/**
 * Runs the tasks that move messages, each until it is done, with turns for others between its steps.
 * @param step does one step of a task
 * @param fail is told why a task cannot go on
 */
export function moveTaskRunner(
  clock: Clock,
  step: (task: string) => MoveStep,
  fail: (task: string, why: string) => void,
) {
  const pauses = new Map<string, () => void>()
  let closed = false

  const pause = (task: string) =>
    new Promise<void>(resolve => {
      const done = () => {
        cancel()
        pauses.delete(task)
        resolve()
      }
      const cancel = clock.after(second, done)
      pauses.set(task, done)
    })

  const run = async (task: string, isLimited: boolean) => {
    try {
      for (;;) {
        await setImmediate()
        if (closed || !step(task).isRunning) return
        if (isLimited) await pause(task)
      }
    } catch (error) {
      failed(task, error instanceof QueueStoreError ? error.code : 'INTERNAL')
    }
  }

  const failed = (task: string, why: string) => {
    try {
      fail(task, why)
    } catch {
      // The disk may be full. Then the task goes on at the next start.
    }
  }

  return {
    /** @param isLimited whether the task may move only so many messages a second */
    run: (task: string, isLimited: boolean): void => void run(task, isLimited),
    end(): void {
      closed = true
      for (const done of [...pauses.values()]) done()
    },
  }
}
