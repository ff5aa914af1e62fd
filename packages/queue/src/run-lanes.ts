import { firstOf, type Lanes, nextOf } from './fifo.ts'

/**
 * Does one step. Answers whether the lane goes on, or undefined when that takes time: then it calls `settle` once,
 * and never before it has returned. It must not throw.
 */
export type Step = (
  position: number,
  settle: (position: number, goesOn: boolean) => void,
) => boolean | undefined

/**
 * Walks through all lanes, `concurrency` of them side by side and each in its order. A lane ends at its end, or
 * where a step says so. Nothing is started once `stopped` says true.
 * @returns undefined when everything is over already, so that no promise is made for what takes no time
 */
export function runLanes(
  lanes: Lanes,
  concurrency: number,
  step: Step,
  stopped: () => boolean,
): Promise<void> | undefined {
  let begun = 0
  let busy = 0
  let finish: (() => void) | undefined

  const fill = (): void => {
    while (busy < concurrency && begun < lanes.count && !stopped()) {
      const first = firstOf(lanes, begun++)
      if (lanes.nexts !== undefined) walk(first)
      else if (step(first, settle) === undefined) busy++
    }
  }
  // A loop as far as steps take no time: ten thousand of them must not be ten thousand calls deep.
  const walk = (first: number): void => {
    for (let position = first; ; ) {
      const goesOn = step(position, settle)
      if (goesOn === undefined) {
        busy++
        return
      }
      if (!goesOn) return
      position = nextOf(lanes, position)
      if (position < 0 || stopped()) return
    }
  }
  const settle = (position: number, goesOn: boolean): void => {
    const next = nextOf(lanes, position)
    if (goesOn && next >= 0 && !stopped()) walk(next)
    busy--
    fill()
    if (busy === 0) finish?.()
  }

  fill()
  if (busy === 0) return undefined
  return new Promise(resolve => {
    finish = resolve
  })
}
