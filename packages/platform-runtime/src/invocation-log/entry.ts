import type { Failure, LogLine } from '../invoker/invoker.ts'

/** One invocation, as it was. */
export interface NewInvocationLogEntry {
  readonly requestId: string
  readonly functionName: string
  /** Where the event came from, such as `load balancer web`. */
  readonly source: string
  readonly family: string | undefined
  /** Which of the platform's attempts with this event, from 1. */
  readonly attempt: number
  readonly generation: number
  /** Milliseconds since the epoch. */
  readonly started: number
  /** Milliseconds. */
  readonly duration: number
  /** JSON text. */
  readonly event: string
  /** Whether it is known that nothing in the event looks like a secret. */
  readonly secretFree?: boolean
  /** Text, empty for nothing. */
  readonly payload: string
  readonly failure: Failure | undefined
  /** What the platform concluded. */
  readonly verdict: { readonly kind: string; readonly ok: boolean; readonly text: string } | undefined
  readonly logs: readonly LogLine[]
}

/** The same in the invocation log, where secrets are masked. */
export interface InvocationLogEntry extends Omit<NewInvocationLogEntry, 'plain'> {
  readonly id: number
  /** Whether something in it had to be masked, so that it is not quite what it was. */
  readonly masked: boolean
}

/** What is asked for. */
export interface InvocationLogQuery {
  /** Only entries later than this one. */
  readonly after?: number
  readonly functionName?: string
  /** The last so many. Default 100. */
  readonly last?: number
}
