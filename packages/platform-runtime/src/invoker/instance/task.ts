import type { Call, InvocationResult } from '../invoker.ts'

/** A call, and the function that gets its result. */
export interface PendingCall {
  readonly call: Call
  readonly resolve: (result: InvocationResult) => void
}

/** A call that was sent to an instance. */
export interface Task extends PendingCall {
  readonly number: number
}

/** The highest task number. The task after it gets the number 1 again. */
export const lastTask = 0x7fff_ffff

/** The maximum number of tasks that an instance has at a time. */
export const taskLimit = 16

/** Returns the number after a task number. */
export function following(task: number): number {
  return task === lastTask ? 1 : task + 1
}

/** Returns whether a task was sent after another one. */
export function isAfter(task: number, earlier: number): boolean {
  const distance = task - earlier
  return distance > 0 ? distance < lastTask / 2 : distance < -lastTask / 2
}
