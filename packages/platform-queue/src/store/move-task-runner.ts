import { setImmediate } from 'node:timers/promises'
import type { Clock } from '@signalbox/core'
import { QueueStoreError } from './queue-store-error.ts'

/** The result of a step of a task. */
export interface MoveStep {
  readonly isRunning: boolean
  /** The queues that received messages. */
  readonly to: readonly string[]
}

/** Milliseconds between two steps of a task with a limit per second. */
const second = 1000

/**
 * Runs message move tasks until they end. Between the steps, the store serves other requests.
 * @param step runs one step of a task
 * @param fail records the reason why a task cannot continue
 */
export function moveTaskRunner(
  clock: Clock,
  step: (task: string) => MoveStep | Promise<MoveStep>,
  fail: (task: string, why: string) => void | Promise<void>,
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
        if (closed) return
        const { isRunning } = await step(task)
        if (!isRunning) return
        if (isLimited) await pause(task)
      }
    } catch (error) {
      await failed(task, error instanceof QueueStoreError ? error.code : 'INTERNAL')
    }
  }

  const failed = async (task: string, why: string) => {
    try {
      await fail(task, why)
    } catch {
      // If the disk is full or the database cannot be reached, the task continues after the next start.
    }
  }

  return {
    /**
     * Runs a task until it ends.
     * @param isLimited whether the task has a limit of messages per second
     */
    run: (task: string, isLimited: boolean): void => void run(task, isLimited),
    end(): void {
      closed = true
      for (const done of [...pauses.values()]) done()
    },
  }
}
