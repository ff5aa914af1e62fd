/** One event for a function. */
export interface Call {
  /** The event as JSON text, as on the wire. */
  readonly event: string
  /** The same as a value, which nobody else has: for functions that run in this process. */
  readonly value?: unknown
  /** Stays the same when the platform tries again. */
  readonly requestId: string
  /** Goes into the context beside what the platform puts there itself. JSON. */
  readonly context?: { readonly [name: string]: unknown }
  /** Milliseconds that the platform grants at most, when that is less than what the function is given. */
  readonly timeLimit?: number
  /** Whether a long answer may be a value, so that no text is made of it only to be read again. */
  readonly takesValue?: boolean
}

/** Why there is no answer of the function. */
export interface Failure {
  /**
   * `threw`: the function did. `unloadable`: it could not be loaded. `timeout`: it was killed at its deadline.
   * `crash`: its instance died. `unavailable`: it was never called, because no instance was to be had.
   */
  readonly kind: 'threw' | 'unloadable' | 'timeout' | 'crash' | 'unavailable'
  readonly message: string
}

/** What a function wrote while it worked on an event. */
export interface LogLine {
  readonly stream: 'out' | 'err'
  readonly text: string
}

/** What came of a call. */
export interface InvocationResult {
  /** What the function returned as text, as on the wire; empty for nothing. What failed has a payload that says so. */
  readonly payload: string
  /** What the function returned, if the call takes a value. The payload is the beginning of it then. */
  readonly value?: unknown
  readonly failure?: Failure
  readonly logs: readonly LogLine[]
  /** How often the function's code had been loaded anew, starting at 1. */
  readonly generation: number
}

/** Calls one function, wherever that runs. */
export interface Invoker {
  /** Never rejects: whatever goes wrong is part of the outcome. */
  readonly invoke: (call: Call) => Promise<InvocationResult>
  /** Starts a new generation: what is called from now on runs the code that is now in the files. */
  readonly reload: () => void
  /** Ends all instances at once. Calls that are under way fail. */
  readonly stop: () => Promise<void>
  /** How many instances there are, whether they work or not. */
  readonly instances: () => number
}

/** The longest answer of a function that is carried any further, in bytes. No contract allows as much. */
export const payloadLimit = 6 * 1024 * 1024

/** What a function may write for one event; the rest is dropped, and a last line says so. In characters. */
export const logLimit = 256 * 1024
