import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@signalbox/core'
import type { Entry, JournalQuery, NewEntry } from './entry.ts'
import { openJournalFile } from './journal-file.ts'
import { maskJson, maskRepeats } from './mask.ts'

/** How much is kept. */
export interface JournalLimits {
  /** Bytes of all entries. */
  readonly size: number
  /** Milliseconds. */
  readonly age: number
}

/** Everything that was invoked, until it is too old or too much. */
export interface Journal {
  /** Written shortly after; what waits to be written is lost when the process is killed. */
  readonly record: (entry: NewEntry) => void
  /** In the order in which they ended. */
  readonly list: (query?: JournalQuery) => readonly Entry[]
  readonly get: (id: number) => Entry | undefined
  /** Writes what waits. */
  readonly flush: () => void
  readonly close: () => void
}

/** Characters of a payload that are kept. */
export const payloadLimit = 256 * 1024

/** Milliseconds for which entries wait for more, because one transaction for many is far cheaper. */
const patience = 25

/** Entries that may wait. */
const crowd = 500

/** Milliseconds between two looks for entries that are too old. */
const ageCheck = 60_000

/**
 * Opens a journal.
 * @param written is told of each entry once it has its id
 */
export function openJournal(
  database: DatabaseSync,
  limits: JournalLimits,
  clock: Clock,
  written?: (entry: Entry) => void,
): Journal {
  const file = openJournalFile(database)
  let waiting: NewEntry[] = []
  let cancel: (() => void) | undefined
  let size = file.size()
  let nextAgeCheck = 0

  const flush = () => {
    cancel?.()
    cancel = undefined
    if (waiting.length === 0) return
    const entries = waiting.map(masked)
    waiting = []
    const added = file.insert(entries)
    size += added.size
    const now = clock.now()
    if (now >= nextAgeCheck) {
      size -= file.deleteBefore(now - limits.age)
      nextAgeCheck = now + ageCheck
    }
    // Some room is made at once, so that it need not be made each time.
    while (size > limits.size) {
      const freed = file.deleteOldest(size - limits.size * 0.9)
      if (freed === 0) break
      size -= freed
    }
    if (written)
      for (const [position, entry] of entries.entries()) written({ ...entry, id: added.ids[position]! })
  }

  return {
    record(entry) {
      waiting.push(entry)
      if (waiting.length >= crowd) flush()
      else cancel ??= clock.after(patience, flush)
    },
    list(query = {}) {
      flush()
      return file.list(query)
    },
    get(id) {
      flush()
      return file.get(id)
    },
    flush,
    close() {
      flush()
      database.close()
    },
  }
}

function masked(entry: NewEntry): Omit<Entry, 'id'> {
  const event = maskJson(entry.event)
  const payload = maskJson(entry.payload)
  const secrets = [...event.secrets, ...payload.secrets]
  const cut =
    payload.text.length > payloadLimit ? `${payload.text.slice(0, payloadLimit)}… (cut)` : payload.text
  if (secrets.length === 0) return { ...entry, payload: cut, masked: payload.text !== entry.payload }
  const { failure, verdict } = entry
  return {
    ...entry,
    event: event.text,
    payload: maskRepeats(cut, secrets),
    failure: failure && { ...failure, message: maskRepeats(failure.message, secrets) },
    verdict: verdict && { ...verdict, text: maskRepeats(verdict.text, secrets) },
    logs: entry.logs.map(line => ({ ...line, text: maskRepeats(line.text, secrets) })),
    masked: true,
  }
}
