import type { Clock } from '@signalbox/core'
import type { StoragePort } from '../storage/storage-engine.ts'
import type { InvocationLogEntry, InvocationLogQuery, NewInvocationLogEntry } from './entry.ts'
import type { LogSpan, VisitEntry } from './scan.ts'
import type { InvocationPage, InvocationSearch } from './search.ts'

/** Reads invocations that were logged. */
export interface InvocationLogReader {
  /** Returns entries in the order in which the invocations ended. */
  readonly list: (query?: InvocationLogQuery) => Promise<readonly InvocationLogEntry[]>
  /** Returns one entry. Returns undefined for an id that was never assigned, or whose entry was deleted. */
  readonly get: (id: number) => Promise<InvocationLogEntry | undefined>
  /**
   * Returns the entries that pass the filters, the newest first. Stops after about 150 ms, and then returns the point
   * where the next search continues.
   */
  readonly search: (search: InvocationSearch) => Promise<InvocationPage>
  /**
   * Returns the entries of a trace, and those that are linked to it, in the order in which the invocations ended: the first
   * 1000 of them.
   */
  readonly trace: (traceId: string) => Promise<readonly InvocationLogEntry[]>
  /** Calls `visit` with the start and the duration of each entry that started in a time span, in any order. */
  readonly scan: (span: LogSpan, visit: VisitEntry) => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Stores every invocation until it is too old or the log is too large. Each storage engine implements this port and
 * passes `invocationLogSuite`. Entries are stored without secrets (`maskedEntry`). Ids count up from 1, and the id of a
 * deleted entry is not assigned again.
 */
export interface InvocationLog extends InvocationLogReader {
  /**
   * Logs an invocation. Returns at once and never throws, because it is called for every request. The entry is written
   * shortly afterwards. It is lost if the process is killed before then, or if the disk is full. `notice` reports a
   * full disk.
   */
  readonly append: (entry: NewInvocationLogEntry) => void
  /** Resolves when everything that was appended is written. */
  readonly flush: () => Promise<void>
  /**
   * Calls `onWritten` with each entry after it was written. Call the returned function to stop. An error that
   * `onWritten` throws is reported to `notice`. Without watchers, a written entry costs no further time.
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
  /** Called with each entry that was written, before all other watchers. */
  readonly onWritten?: ((entry: InvocationLogEntry) => void) | undefined
  /** Called with a sentence when entries are lost or damaged. Not called again until a write has succeeded. */
  readonly notice: (text: string) => void
}

/** The maximum number of entries of a trace that are read. */
export const traceLimit = 1000

/** The storage port of the invocation log. Several platforms may write into one log. */
export const invocationLogStorage: StoragePort<(options: InvocationLogOptions) => Promise<InvocationLog>> = {
  name: 'invocation log',
}

/** Returns the notice about a log whose entries were deleted, because an earlier version wrote them in another layout. */
export function restartedLog(lastId: number): string {
  return `The invocation log begins again after #${lastId}: an earlier version wrote its entries in a layout that is no longer read, and they were deleted.`
}
