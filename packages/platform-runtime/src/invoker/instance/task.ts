import type { Call, InvocationResult } from '../invoker.ts'
import type { TaskHead } from './instance-message.ts'

/** A call, and the function that gets its result. */
export interface PendingCall {
  readonly call: Call
  /** The call as it is sent to an instance, from `taskText`. */
  readonly text: string
  readonly resolve: (result: InvocationResult) => void
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
