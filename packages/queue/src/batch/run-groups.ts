import { type BatchRun, isStopped } from './batch-run.ts'
import { firstOf, nextOf } from './fifo.ts'

/**
 * Does one step. Answers whether the group goes on, or undefined when that takes time: then it calls `settle` once,
 * and never before it has returned. It must not throw.
 */
export type Step = (run: BatchRun, position: number) => boolean | undefined

/**
 * Walks through all groups, `concurrency` of them side by side and each in its order. A group ends at its end, or
 * where a step says so. Nothing is started once the run is stopped.
 * @returns undefined when everything is over already, so that no promise is made for what takes no time
 */
export function runGroups(run: BatchRun, step: Step): Promise<void> | undefined {
  startGroups(run, step)
  if (run.runningGroups === 0) return undefined
  return new Promise(resolve => {
    run.finish = resolve
  })
}

/** Goes on after a step that took time. */
export function resume(run: BatchRun, step: Step, position: number, goesOn: boolean): void {
  const next = nextOf(run.groups, position)
  if (goesOn && next >= 0 && !isStopped(run)) runGroup(run, step, next)
  run.runningGroups--
  startGroups(run, step)
  if (run.runningGroups === 0) run.finish?.()
}

function startGroups(run: BatchRun, step: Step): void {
  const { groups, concurrency } = run
  while (run.runningGroups < concurrency && run.startedGroups < groups.count && !isStopped(run)) {
    const first = firstOf(groups, run.startedGroups++)
    if (groups.nexts !== undefined) runGroup(run, step, first)
    else if (step(run, first) === undefined) run.runningGroups++
  }
}

// A loop as far as steps take no time: ten thousand of them must not be ten thousand calls deep.
function runGroup(run: BatchRun, step: Step, first: number): void {
  for (let position = first; ; ) {
    const goesOn = step(run, position)
    if (goesOn === undefined) {
      run.runningGroups++
      return
    }
    if (!goesOn) return
    position = nextOf(run.groups, position)
    if (position < 0 || isStopped(run)) return
  }
}
