import { type BatchRun, isStopped } from './batch-run.ts'
import { firstOf, nextOf } from './fifo.ts'

/**
 * Does one step. Answers whether the lane goes on, or undefined when that takes time: then it calls `settle` once,
 * and never before it has returned. It must not throw.
 */
export type Step = (run: BatchRun, position: number) => boolean | undefined

/**
 * Walks through all lanes, `concurrency` of them side by side and each in its order. A lane ends at its end, or
 * where a step says so. Nothing is started once the run is stopped.
 * @returns undefined when everything is over already, so that no promise is made for what takes no time
 */
export function runLanes(run: BatchRun, step: Step): Promise<void> | undefined {
  fill(run, step)
  if (run.busy === 0) return undefined
  return new Promise(resolve => {
    run.finish = resolve
  })
}

/** Goes on after a step that took time. */
export function settle(run: BatchRun, step: Step, position: number, goesOn: boolean): void {
  const next = nextOf(run.lanes, position)
  if (goesOn && next >= 0 && !isStopped(run)) walk(run, step, next)
  run.busy--
  fill(run, step)
  if (run.busy === 0) run.finish?.()
}

function fill(run: BatchRun, step: Step): void {
  const { lanes, concurrency } = run
  while (run.busy < concurrency && run.begun < lanes.count && !isStopped(run)) {
    const first = firstOf(lanes, run.begun++)
    if (lanes.nexts !== undefined) walk(run, step, first)
    else if (step(run, first) === undefined) run.busy++
  }
}

// A loop as far as steps take no time: ten thousand of them must not be ten thousand calls deep.
function walk(run: BatchRun, step: Step, first: number): void {
  for (let position = first; ; ) {
    const goesOn = step(run, position)
    if (goesOn === undefined) {
      run.busy++
      return
    }
    if (!goesOn) return
    position = nextOf(run.lanes, position)
    if (position < 0 || isStopped(run)) return
  }
}
