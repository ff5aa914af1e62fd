import type { Verdict } from '../families/verdict.ts'
import type { Failure, LogLine } from '../invoker/invoker.ts'

/** An event that was sent to a function, and the result. */
export interface Invocation<V = Verdict | undefined> {
  readonly requestId: string
  /** The payload as the text that was transmitted. Empty if there is no payload. */
  readonly payload: string
  /** The reason why the function returned nothing. */
  readonly failure: Failure | undefined
  /** The platform's verdict. Undefined for an event that breaks its contract; a platform never sends such an event. */
  readonly verdict: V
  readonly logs: readonly LogLine[]
  /** The duration in milliseconds. */
  readonly duration: number
}
