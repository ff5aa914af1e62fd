import type { Clock } from '@signalbox/core'
import type { StoragePort } from '../storage/storage-engine.ts'
import type { InvocationLogEntry, InvocationLogQuery, NewInvocationLogEntry } from './entry.ts'
import type { LogSpan, VisitEntry } from './scan.ts'
import type { InvocationPage, InvocationSearch } from './search.ts'

/** Reads invocations that were logged. */
export interface InvocationLogReader {
  /** Returns entries in the order in which the invocations ended, the latest last. */
  readonly list: (query?: InvocationLogQuery) => Promise<readonly InvocationLogEntry[]>
  /** Returns one entry. Returns undefined for an id that was never assigned, or whose entry was deleted. */
  readonly get: (id: number) => Promise<InvocationLogEntry | undefined>
  /**
   * Returns entries that pass filters, the newest first. Takes at most about 150 ms, and then says where to continue.
   */
  readonly search: (search: InvocationSearch) => Promise<InvocationPage>
  /** Visits the start and the duration of all entries that started in a time span, in any order. */
  readonly scan: (span: LogSpan, visit: VisitEntry) => Promise<void>
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
   * shortly after. The entry is lost when the process is killed before that, or when the disk is full. `notice`
   * reports a full disk.
   */
  readonly append: (entry: NewInvocationLogEntry) => void
  /** Resolves when everything that was appended is written. */
  readonly flush: () => Promise<void>
  /**
   * Calls a function with each entry after it was written, until the returned function is called. An error of the
   * function goes to `notice`. Without watchers, a written entry has no further cost.
   */
  readonly watch: (onWritten: (entry: InvocationLogEntry) => void) => () => void
}

/** The limits of a log. The oldest entries are deleted first. */
interface InvocationLogLimits {
  /** The approximate maximum size of all entries, in bytes. */
  readonly size: number
  /** Milliseconds for which entries are kept. */
  readonly age: number
}

export interface InvocationLogOptions {
  readonly limits: InvocationLogLimits
  readonly clock: Clock
  /** Called with each entry that is written, before every other watcher. */
  readonly onWritten?: ((entry: InvocationLogEntry) => void) | undefined
  /** Called with a sentence when entries are lost or damaged. Not called again until a write has succeeded. */
  readonly notice: (text: string) => void
}

/** The storage port of the invocation log. Several platforms may write into one log. */
export const invocationLogStorage: StoragePort<(options: InvocationLogOptions) => Promise<InvocationLog>> = {
  name: 'invocation log',
}
