import type { Call, InvocationResult } from '../invoker/invoker.ts'

/** How a source starts an execution whose end it does not wait for. */
export interface ExecutionStart {
  /**
   * Identifies the execution among those of its function, with 1 to 60 letters, digits, `-` and `_`. If there is one with
   * this name, nothing is started. Default: a new name.
   */
  readonly name?: string | undefined
  /**
   * Whether an execution with this name that has failed gives the name to a new one. It is then called `NAME-1`, `NAME-2`
   * and so on. Default false.
   */
  readonly repeatsFailed?: boolean
  /** Whether a result that names `batchItemFailures` fails the execution. Default false. */
  readonly takesItemFailures?: boolean
  /** The queue that gets a document when the execution fails. Default: none. */
  readonly onFailure?: string | undefined
}

/** The execution that was started, or that has the wanted name. */
export interface StartedExecution {
  /** A random text, which nobody else can guess. */
  readonly id: string
  readonly arn: string
}

/** How an execution goes. */
export interface ExecutionState {
  readonly functionName: string
  readonly status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'STOPPED'
  /** The result as JSON text, or the error as a JSON object. Empty while the execution runs. */
  readonly payload: string
}

/** Runs executions of durable functions. */
export interface Executions {
  /** Starts an execution with an event, and waits for its end. Never rejects: an error is part of the result. */
  readonly run: (functionName: string, call: Call) => Promise<InvocationResult>
  /**
   * Starts an execution with an event. Never rejects. The payload of a result without failure is a `StartedExecution` as
   * JSON.
   */
  readonly start: (functionName: string, call: Call, how: ExecutionStart) => Promise<InvocationResult>
  /**
   * Resolves when an execution has ended. Rejects when the signal is aborted, when the platform stops, and when the
   * execution does not exist.
   */
  readonly end: (id: string, signal: AbortSignal) => Promise<ExecutionState>
  /** Returns how an execution goes. Undefined when it does not exist. */
  readonly state: (id: string) => Promise<ExecutionState | undefined>
}
