import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@signalbox/core'
import type { Unnumbered } from './block.ts'
import { type Block, blockWriter } from './block-writer.ts'
import type { Entry, JournalQuery, NewEntry } from './entry.ts'
import { openJournalFile } from './journal-file.ts'
import { maskedEntry } from './masked-entry.ts'

/** How much is kept. */
export interface JournalLimits {
  /** Bytes of all entries. */
  readonly size: number
  /** Milliseconds. */
  readonly age: number
}

/** Everything that was invoked, until it is too old or too much. */
export interface Journal {
  /**
   * Written shortly after. What waits to be written is lost when the process is killed, and when the disk is full: what
   * is invoked does not depend on it.
   */
  readonly record: (entry: NewEntry) => void
  /** In the order in which they ended. */
  readonly list: (query?: JournalQuery) => readonly Entry[]
  readonly get: (id: number) => Entry | undefined
  /** Writes what waits. */
  readonly flush: () => void
  readonly close: () => void
}

/** Milliseconds for which entries wait for more, because one block of many is far cheaper. */
const patience = 25

/** Milliseconds between two looks for entries that are too old. */
const ageCheck = 60_000

/**
 * Opens a journal.
 * @param written is told of each entry once it has its id; what it throws is told to `notice`, and ends nothing
 * @param notice is told when entries are lost, once until it goes well again, or are damaged
 * @throws UnknownJournalError when a later version has written it
 */
export function openJournal(
  database: DatabaseSync,
  limits: JournalLimits,
  clock: Clock,
  written?: (entry: Entry) => void,
  notice: (text: string) => void = () => {},
): Journal {
  const file = openJournalFile(database, notice)
  const waiting = blockWriter()
  // Only for whoever is told of them.
  let untold: Unnumbered[] = []
  let cancel: (() => void) | undefined
  let size = file.size()
  let lastAgeCheck = Number.NEGATIVE_INFINITY
  let failing = false
  let closed = false

  // In a timer of the journal's own nobody could catch it.
  const tell = (entry: Entry) => {
    try {
      written?.(entry)
    } catch (error) {
      notice(`Whoever is told of each invocation failed: ${errorText(error)}`)
    }
  }

  const write = (block: Block): number => {
    const first = file.insert(block)
    size += block.size
    const now = clock.now()
    // The clock may have been set back since.
    if (Math.abs(now - lastAgeCheck) >= ageCheck) {
      size -= file.deleteBefore(now - limits.age, now)
      lastAgeCheck = now
    }
    // Some room is made at once, so that it need not be made each time.
    while (size > limits.size) {
      const freed = file.deleteOldest(size - limits.size * 0.9)
      if (freed === 0) break
      size -= freed
    }
    return first
  }

  const flush = () => {
    cancel?.()
    cancel = undefined
    if (waiting.empty) return
    const block = waiting.take()
    const entries = untold
    untold = []
    let first: number
    try {
      first = write(block)
      failing = false
    } catch (error) {
      if (!failing) notice(`The journal cannot be written, and misses entries: ${(error as Error).message}`)
      failing = true
      return
    }
    for (const [position, entry] of entries.entries()) tell({ ...entry, id: first + position })
  }

  const refuseClosed = () => {
    if (closed) throw new Error('The journal is closed: its box has stopped.')
  }

  return {
    record(entry) {
      const masked = maskedEntry(entry)
      waiting.add(masked)
      if (written !== undefined) untold.push(masked)
      if (waiting.full) flush()
      else cancel ??= clock.after(patience, flush)
    },
    list(query = {}) {
      refuseClosed()
      flush()
      return file.list(query)
    },
    get(id) {
      refuseClosed()
      flush()
      return file.get(id)
    },
    flush,
    close() {
      refuseClosed()
      flush()
      closed = true
      database.close()
    },
  }
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
