import type { FunctionInspector } from './inspector/function-inspector.ts'

export interface Call {
  /** The event as JSON text, exactly as it is sent. */
  readonly event: string
  /** The event as a value that only this call uses, for functions that run in this process. */
  readonly value?: unknown
  /** The request id, which is the same for every attempt. */
  readonly requestId: string
  /** The client that caused the event. While events wait for the function, their clients take turns. */
  readonly client?: string | undefined
  /** Fields that are added to the context, as JSON values. */
  readonly context?: { readonly [name: string]: unknown }
  /** A time limit for this call in milliseconds. It applies when it is shorter than the function's time-out. */
  readonly timeLimit?: number
  /**
   * Whether the result may also contain the returned value, so that its text need not be parsed and a long value need
   * not be serialized.
   */
  readonly takesValue?: boolean
  /** Whether the payload of an error that the function threw contains its stack, as `trace`. */
  readonly takesTrace?: boolean
}

/** The reason why the function returned nothing. */
export interface Failure {
  /**
   * `threw`: the function threw. `unloadable`: its module could not be loaded. `timeout`: it was killed at its
   * deadline. `crash`: its instance died, or the connection to its endpoint broke. `unavailable`: it was never
   * called, because no instance was free, or its endpoint did not take the event.
   */
  readonly kind: 'threw' | 'unloadable' | 'timeout' | 'crash' | 'unavailable'
  readonly message: string
}

/** Output of a function during an event. */
export interface LogLine {
  readonly stream: 'out' | 'err'
  readonly text: string
}

export interface InvocationResult {
  /**
   * The returned value as text, or an empty string when nothing was returned. For a failed call, the text describes
   * the error.
   */
  readonly payload: string
  /**
   * The returned value, when the call takes it. In that case, the long strings in the payload of a long value are
   * truncated.
   */
  readonly value?: unknown
  readonly failure?: Failure
  readonly logs: readonly LogLine[]
  /** The generation of the function's code. The first generation is 1, and each reload starts a new one. */
  readonly generation: number
  /** Whether the call waited for its instance to start. */
  readonly coldStart?: boolean
}

/** Calls one function, in this process or elsewhere. */
export interface Invoker {
  /** Calls the function. Never rejects: an error is part of the result. */
  readonly invoke: (call: Call) => Promise<InvocationResult>
  /**
   * Loads the current code once, without an event. Returns the result of an event that would have waited for it, if the
   * code cannot be loaded. Absent for functions that this platform does not load.
   */
  readonly load?: () => Promise<InvocationResult | undefined>
  /** Starts a new generation, so that later calls run the code that is now in the files. */
  readonly reload: () => void
  /** Ends all instances at once. Running calls fail. */
  readonly stop: () => Promise<void>
  /** Returns the number of instances, including idle ones. */
  readonly instances: () => number
  /** Returns the number of instances that have been started so far. Absent for functions that have no instances. */
  readonly started?: () => number
  /** Where debuggers attach to the function. Absent unless its settings say `inspect`. */
  readonly inspector?: Pick<FunctionInspector, 'start'> | undefined
}

/**
 * The maximum size in bytes of a payload that is passed on, as on AWS Lambda. It is above the limits of all contracts.
 */
export const payloadLimit = 6_291_556

/**
 * The maximum number of characters that a function may write during one event. The rest is dropped, and one more line
 * says so.
 */
export const logLimit = 256 * 1024
