import type { Call, InvocationResult } from '../invoker.ts'
import type { TaskHead } from './instance-message.ts'

/** A call, and the function that gets its result. */
export interface PendingCall {
  readonly call: Call
  /** The call as it is sent to an instance, from `taskText`. */
  readonly text: string
  readonly resolve: (result: InvocationResult) => void
}

/** A call that was sent to an instance. */
export interface Task extends PendingCall {
  readonly number: number
}

/**
 * Returns the text of the frame that sends a call to an instance. A client decides what the context contains, so this
 * is called where a failure belongs to the call, and never in a handler of a pipe or a timer.
 * @param timeout the time limit of the function in milliseconds
 * @throws RangeError for a context that is nested too deeply to be serialized
 */
export function taskText(call: Call, timeout: number): string {
  const { event, requestId, context, takesValue, takesTrace } = call
  const head: TaskHead = { requestId, context, granted: grantedTo(call, timeout), takesValue, takesTrace }
  return `${JSON.stringify(head)}\n${event}`
}

/** Returns the milliseconds that a call may take. */
export function grantedTo({ timeLimit }: Call, timeout: number): number {
  return timeLimit === undefined ? timeout : Math.min(timeout, timeLimit)
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
