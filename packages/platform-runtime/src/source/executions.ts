import type { Call, InvocationResult } from '../invoker/invoker.ts'

/** Runs executions of durable functions. */
export interface Executions {
  /** Starts an execution with an event, and waits for its end. Never rejects: an error is part of the result. */
  readonly run: (functionName: string, call: Call) => Promise<InvocationResult>
}
