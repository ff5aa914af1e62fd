import type { Lanes } from './fifo.ts'

/**
 * Walks through all lanes, `concurrency` of them side by side and each in its order. A lane ends at its end, or
 * where `step` says false. Nothing is started once `stopped` says true.
 * @param step must not throw, nor may its promise reject
 * @returns undefined when everything is over already, so that no promise is made for what takes no time
 */
export function runLanes(
  lanes: Lanes,
  concurrency: number,
  step: (position: number) => boolean | Promise<boolean>,
  stopped: () => boolean,
): Promise<void> | undefined {
  let begun = 0
  let busy = 0
  let finish: (() => void) | undefined

  const fill = (): void => {
    while (busy < concurrency && begun < lanes.count && !stopped()) walk(lanes.first(begun++))
  }
  // A loop as far as steps take no time: ten thousand of them must not be ten thousand calls deep.
  const walk = (first: number): void => {
    for (let position = first; ; ) {
      const goesOn = step(position)
      if (typeof goesOn !== 'boolean') {
        busy++
        void follow(position, goesOn)
        return
      }
      if (!goesOn) return
      position = lanes.next(position)
      if (position < 0 || stopped()) return
    }
  }
  const follow = async (position: number, pending: Promise<boolean>): Promise<void> => {
    const goesOn = await pending
    const next = lanes.next(position)
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
