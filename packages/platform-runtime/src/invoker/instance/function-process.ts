import type { Call, InvocationResult, LogLine } from '../invoker.ts'

/** How the process of a function ended. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: string | null
  readonly isOutOfMemory: boolean
  /**
   * The end of what the process wrote outside of its channel since the latest event began, such as Node's final message.
   */
  readonly written: string
}

/** What the process of a function reports. Events have the number with which they were sent, which is at least 1. */
export interface ProcessEvents {
  /**
   * The function is loaded. `free` follows for each event that the process takes at the same time.
   * @param inspectorPort the port of Node's inspector, if the process has one
   */
  readonly ready: (inspectorPort?: number) => void
  /** The function cannot be loaded, or cannot go on. */
  readonly failed: (why: string) => void
  /**
   * The function wrote something.
   * @param about the number of the event, or 0 for output that belongs to no event. Undefined if the process does not know.
   */
  readonly output: (about: number | undefined, stream: LogLine['stream'], text: string) => void
  /** The function did not catch an error. `about` is as for `output`. */
  readonly uncaught: (about: number, text: string) => void
  /** The function answered an event, or threw. */
  readonly answered: (about: number, result: Pick<InvocationResult, 'payload' | 'value' | 'failure'>) => void
  /**
   * The process takes another event.
   * @param about the answered event in whose place it does, if there was one
   */
  readonly free: (about?: number) => void
  /** The process broke the rules of its channel. */
  readonly broken: (why: string) => void
  /** The channel has closed, as it does when the process ends. */
  readonly closed: () => void
  /** The process did not start. In this case `ended` is not called. */
  readonly missing: (why: string) => void
  readonly ended: (end: ProcessEnd) => void
}

/** Why a process ends: it is not needed any more, an event took too long, or the process failed. */
export type EndReason = 'spindown' | 'timeout' | 'failure'

/** The process of a function. */
export interface FunctionProcess {
  /**
   * Sends an event.
   * @param about the number of the event
   * @param text what `prepare` returned for the call
   * @param granted the milliseconds that the event may take
   */
  readonly send: (about: number, call: Call, text: string, granted: number) => void
  /** Ignores the answer to an event whose time is over. */
  readonly giveUp: (about: number) => void
  /** Ends the process, and the processes that it started. */
  readonly kill: (reason: EndReason) => void
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>
}

/** A function that runs in processes of its own. */
export interface FunctionProgram {
  /**
   * Returns the text with which a call is sent to a process. A client decides what the context contains, so this is called
   * where a failure belongs to the call, and never in a handler of a pipe or a timer.
   * @throws RangeError for a context that is nested too deeply to be serialized
   */
  readonly prepare: (call: Call, granted: number) => string
  readonly start: (events: ProcessEvents) => FunctionProcess
}
