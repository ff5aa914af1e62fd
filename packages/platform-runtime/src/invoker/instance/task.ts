import type { Call } from '../invoker.ts'
import type { TaskHead } from './instance-message.ts'

/**
 * Returns the text of the frame that sends a call to an instance.
 * @param granted the milliseconds that the call may take
 * @throws RangeError for a context that is nested too deeply to be serialized
 */
export function taskText(call: Call, granted: number): string {
  const { event, requestId, context, takesValue, takesTrace } = call
  const head: TaskHead = { requestId, context, granted, takesValue, takesTrace }
  return `${JSON.stringify(head)}\n${event}`
}
