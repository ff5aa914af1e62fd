import { setImmediate } from 'node:timers/promises'
import type { InvocationLogEntry, NewInvocationLogEntry } from './entry.ts'
import type { InvocationLog, InvocationLogOptions } from './invocation-log.ts'
import { type InvocationRow, rowOf } from './invocation-row.ts'
import { maskedEntry } from './masked-entry.ts'
import { minimalEntry, trimmedEntry } from './trimmed-entry.ts'

/** Milliseconds that an entry waits for further entries, because one transaction for many is cheaper. */
const flushDelay = 10

/** Milliseconds between attempts to write while the engine is unavailable. */
const retryDelay = 1000

/** When more characters than this wait to be written, entries are shortened. */
const trimAbove = 4 * 1024 * 1024
/** When more characters than this wait to be written, entries are dropped. */
const dropAbove = 16 * 1024 * 1024

/** The maximum number of entries in one transaction, and of their characters. */
const entriesInBatch = 500
const charactersInBatch = 1024 * 1024

/** Milliseconds for which entries are masked and compressed before other work of the process has its turn. */
const turn = 10

/** What an engine does with gathered entries. */
export interface InvocationWriter {
  /** Writes all rows in one transaction, and returns their ids. If it throws, no row is written. */
  readonly insert: (rows: readonly InvocationRow[]) => readonly number[] | Promise<readonly number[]>
  /**
   * Called after entries were written. Applies the limits.
   * @returns whether to call it again, after a short time
   */
  readonly tidy: (written: number) => boolean | Promise<boolean>
  /** Returns whether the same rows can be written later, after this error. */
  readonly isTemporary: (error: unknown) => boolean
}

/** Gathers entries, and passes them on shortly afterwards, without their secrets. */
export function gatheredLog(
  { insert, tidy, isTemporary }: InvocationWriter,
  { clock, onWritten, notice }: Omit<InvocationLogOptions, 'limits'>,
): Pick<InvocationLog, 'append' | 'flush' | 'watch' | 'close'> {
  const waiting: NewInvocationLogEntry[] = []
  const watchers = new Set(onWritten === undefined ? [] : [onWritten])
  let size = 0
  let cancelWrite: (() => void) | undefined
  let writing: Promise<void> | undefined
  let isFailing = false
  let closed = false

  /** Masks and converts the first entries. They wait until they are written. */
  const nextBatch = async () => {
    const entries = []
    const rows: InvocationRow[] = []
    let [characters, begin] = [0, performance.now()]
    while (rows.length < Math.min(waiting.length, entriesInBatch) && characters < charactersInBatch) {
      const entry = waiting[rows.length]!
      const masked = maskedEntry(entry)
      if (watchers.size > 0) entries.push(masked)
      rows.push(rowOf(masked))
      characters += sizeOf(entry)
      if (performance.now() - begin < turn) continue
      await setImmediate()
      begin = performance.now()
    }
    return { entries, rows }
  }

  const remove = (count: number) => {
    for (const entry of waiting.splice(0, count)) size -= sizeOf(entry)
  }

  /** Writes the waiting entries. While the engine is unavailable, they are kept and written later. */
  const writeAll = async () => {
    let written = 0
    try {
      while (waiting.length > 0) {
        const { entries, rows } = await nextBatch()
        let ids: readonly number[]
        try {
          ids = await insert(rows)
        } catch (error) {
          if (isTemporary(error)) throw error
          remove(rows.length)
          reportLoss((error as Error).message)
          continue
        }
        remove(rows.length)
        written += rows.length
        isFailing = false
        for (const [at, entry] of entries.entries()) notifyWatchers({ ...entry, id: ids[at]! })
      }
      if (await tidy(written)) schedule(flushDelay)
    } catch (error) {
      if (!isFailing) notice(`The invocation log cannot be written now: ${(error as Error).message}`)
      isFailing = true
      schedule(retryDelay)
    }
  }

  const write = (): Promise<void> => {
    cancelWrite?.()
    cancelWrite = undefined
    writing ??= writeAll().finally(() => {
      writing = undefined
      // Entries that came after the last batch may have no timer.
      if (waiting.length > 0) schedule(flushDelay)
    })
    return writing
  }

  const schedule = (delay: number) => {
    if (!closed) cancelWrite ??= clock.after(delay, () => void write())
  }

  const reportLoss = (why: string) => {
    if (!isFailing) notice(`The invocation log cannot be written, and misses entries: ${why}`)
    isFailing = true
  }

  // Catches errors of watchers, because an uncaught error in a timer of the log would end the process.
  const notifyWatchers = (entry: InvocationLogEntry) => {
    for (const watcher of [...watchers]) {
      try {
        watcher(entry)
      } catch (error) {
        notice(`onInvocation failed: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }

  const flush = async () => {
    if (closed) throw new Error('The invocation log is closed: its platform has stopped.')
    await writing
    if (waiting.length > 0) await write()
  }

  return {
    append(entry) {
      if (closed) return
      if (size > dropAbove) return reportLoss('more of them come than can be written')
      const trimmed = size > trimAbove ? minimalEntry(entry) : trimmedEntry(entry)
      waiting.push(trimmed)
      size += sizeOf(trimmed)
      if (waiting.length >= entriesInBatch || size >= charactersInBatch) void write()
      else schedule(flushDelay)
    },
    flush,
    watch(watcher) {
      const own = (entry: InvocationLogEntry) => watcher(entry)
      watchers.add(own)
      return () => watchers.delete(own)
    },
    async close() {
      await flush()
      closed = true
      cancelWrite?.()
      watchers.clear()
      await writing
    },
  }
}

function sizeOf({ event, payload, logs }: NewInvocationLogEntry): number {
  return logs.reduce((sum, { text }) => sum + text.length, 200 + event.length + payload.length)
}
