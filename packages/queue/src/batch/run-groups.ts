import { firstOf, nextInGroup } from '../response/fifo.ts'
import { type BatchRun, isStopped } from './batch-run.ts'

/**
 * Handles one record. Returns whether the group continues, or undefined for an asynchronous step. An asynchronous step
 * calls `resume` once after it has returned. A step must not throw.
 */
export type Step = (run: BatchRun, position: number) => boolean | undefined

/**
 * Runs all groups, at most `concurrency` at a time, each in its order. A group ends after its last record, or when a
 * step returns false. Nothing starts after the run has stopped.
 * @returns undefined when all work is already done, so that synchronous work creates no promise
 */
export function runGroups(run: BatchRun, step: Step): Promise<void> | undefined {
  startGroups(run, step)
  if (run.runningGroups === 0) return undefined
  return new Promise(resolve => {
    run.finish = resolve
  })
}

/** Continues a group after an asynchronous step has ended. */
export function resume(run: BatchRun, step: Step, position: number, goesOn: boolean): void {
  const next = nextInGroup(run.groups, position)
  if (goesOn && next >= 0 && !isStopped(run)) runGroup(run, step, next)
  run.runningGroups--
  startGroups(run, step)
  if (run.runningGroups === 0) run.finish?.()
}

function startGroups(run: BatchRun, step: Step): void {
  const { groups, concurrency } = run
  while (run.runningGroups < concurrency && run.startedGroups < groups.count && !isStopped(run)) {
    const group = run.startedGroups++
    if (groups.nexts !== undefined) runGroup(run, step, firstOf(groups, group))
    // In a standard queue, each record is a group.
    else if (step(run, group) === undefined) run.runningGroups++
  }
}

// This is a loop, because ten thousand synchronous steps would otherwise need ten thousand stack frames.
function runGroup(run: BatchRun, step: Step, first: number): void {
  for (let position = first; ; ) {
    const goesOn = step(run, position)
    if (goesOn === undefined) {
      run.runningGroups++
      return
    }
    if (!goesOn) return
    position = nextInGroup(run.groups, position)
    if (position < 0 || isStopped(run)) return
  }
}
