import { isAfter } from './task.ts'

/**
 * The cell that both threads of an instance share. It has the number of the task that was started last or, negative, the
 * number through which tasks were taken back. The function's thread claims each task before it starts it, and the
 * watchdog takes tasks back, so that no task is both started and taken back.
 */
export type ClaimCell = Int32Array<SharedArrayBuffer>

// Keeps the original functions, because a user's function may replace them.
const { compareExchange, load } = Atomics

export function claimCell(): ClaimCell {
  return new Int32Array(new SharedArrayBuffer(4))
}

/** Claims a task for the function. Returns false when the task was taken back. */
export function claim(cell: ClaimCell, task: number): boolean {
  const before = load(cell, 0)
  if (before < 0 && !isAfter(task, -before)) return false
  return compareExchange(cell, 0, before, task) === before || claim(cell, task)
}

/**
 * Takes back the tasks that were not claimed, up to the given one.
 * @returns the number of the last task that was claimed or taken back before. The tasks after it, up to the given one,
 * are never started.
 */
export function takeBack(cell: ClaimCell, last: number): number {
  const before = load(cell, 0)
  const latest = Math.abs(before)
  if (!isAfter(last, latest)) return latest
  return compareExchange(cell, 0, before, -last) === before ? latest : takeBack(cell, last)
}
