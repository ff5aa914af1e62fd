import type { Clock } from '@signalbox/core'
import type { InvocationLogEntry, InvocationLogQuery, NewInvocationLogEntry } from './entry.ts'

/** Reads invocations that were logged. */
export interface InvocationLogReader {
  /** Entries in the order in which the invocations ended, the latest last. */
  readonly list: (query?: InvocationLogQuery) => Promise<readonly InvocationLogEntry[]>
  /** Undefined for an id that was never assigned, or whose entry was deleted. */
  readonly get: (id: number) => Promise<InvocationLogEntry | undefined>
  readonly close: () => Promise<void>
}

/**
 * Stores every invocation until it is too old or the log is too large. This is a port: an engine implements it and
 * passes `invocationLogSuite`. Entries are stored without secrets (`maskedEntry`). Ids count up from 1, and the id of
 * a deleted entry is not assigned again.
 */
export interface InvocationLog extends InvocationLogReader {
  /**
   * Logs an invocation. Returns at once and never throws, because every request calls it; the entry is written
   * shortly after. The entry is lost when the process is killed before, or when the disk is full. `notice` reports a
   * full disk.
   */
  readonly append: (entry: NewInvocationLogEntry) => void
  /** Resolves when everything that was appended is written. */
  readonly flush: () => Promise<void>
}

/** How much a log keeps. The oldest entries are deleted first. */
interface InvocationLogLimits {
  /** Bytes of all entries, roughly. */
  readonly size: number
  /** Milliseconds. */
  readonly age: number
}

/** The options for opening a log. */
export interface InvocationLogOptions {
  readonly limits: InvocationLogLimits
  readonly clock: Clock
  /** Called with each entry after it was written. An error that it throws goes to `notice`. */
  readonly onWritten?: ((entry: InvocationLogEntry) => void) | undefined
  /** Called with a sentence when entries are lost or damaged, once until writing succeeds again. */
  readonly notice: (text: string) => void
}
