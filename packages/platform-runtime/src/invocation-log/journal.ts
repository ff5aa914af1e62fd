import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@signalbox/core'
import { entriesIn, unpack } from './block.ts'
import { blockWriter } from './block-writer.ts'
import type { InvocationLogEntry, InvocationLogQuery, NewInvocationLogEntry } from './entry.ts'
import { openJournalFile } from './journal-file.ts'
import { keptEntry, shortEntry } from './kept-entry.ts'
import { mayHoldSecret } from './mask.ts'
import type { Block } from './packed-block.ts'
import { packingLane } from './packing-lane.ts'

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
  readonly record: (entry: NewInvocationLogEntry) => void
  /** In the order in which they ended. */
  readonly list: (query?: InvocationLogQuery) => readonly InvocationLogEntry[]
  readonly get: (id: number) => InvocationLogEntry | undefined
  /** Writes what waits. */
  readonly flush: () => void
  readonly close: () => void
}

/** Milliseconds for which entries wait for more, because one block of many is far cheaper. */
const patience = 25

/** Bytes that wait to be packed, of the entries that come then less is kept, and then nothing. */
const manyWaiting = 4 * 1024 * 1024
const tooManyWaiting = 16 * 1024 * 1024

/** Characters of a text that is looked through at once; longer ones are when they are packed. */
const quickLook = 4096

/** Milliseconds between two looks for entries that are too old. */
const ageCheck = 60_000

/**
 * Opens an invocation log.
 * @param written is told of each entry once it has its id; what it throws is told to `notice`, and ends nothing
 * @param notice is told when entries are lost, once until it goes well again, or are damaged
 * @throws UnknownJournalError when a later version has written it
 */
export function openJournal(
  database: DatabaseSync,
  limits: JournalLimits,
  clock: Clock,
  written?: (entry: InvocationLogEntry) => void,
  notice: (text: string) => void = () => {},
): Journal {
  const file = openJournalFile(database, notice)
  const waiting = blockWriter()
  let suspicious = false
  let cancel: (() => void) | undefined
  let size = file.size()
  let lastAgeCheck = Number.NEGATIVE_INFINITY
  let failing = false
  let closed = false

  // In a timer of the invocation log's own nothing could catch it.
  const tell = (entry: InvocationLogEntry) => {
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

  const store = (block: Block) => {
    let first: number
    try {
      first = write(block)
      failing = false
    } catch (error) {
      return lose((error as Error).message)
    }
    if (written === undefined) return
    for (const [position, { entry }] of entriesIn(unpack(block.packed)).entries())
      tell({ ...entry, id: first + position })
  }

  const lose = (why: string) => {
    if (!failing) notice(`The invocation log cannot be written, and misses entries: ${why}`)
    failing = true
  }

  const lane = packingLane(store, lose)

  const pack = () => {
    cancel?.()
    cancel = undefined
    if (waiting.empty) return
    lane.pack({ ...waiting.take(), suspicious })
    suspicious = false
  }

  const flush = () => {
    pack()
    lane.finish()
  }

  const refuseClosed = () => {
    if (closed) throw new Error('The invocation log is closed: its box has stopped.')
  }

  return {
    record(entry) {
      if (lane.waiting > tooManyWaiting) return lose('more of them come than can be packed')
      const kept = lane.waiting > manyWaiting ? shortEntry(entry) : keptEntry(entry)
      suspicious ||= !isPlain(kept)
      waiting.add(kept)
      if (waiting.full) pack()
      else cancel ??= clock.after(patience, pack)
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
      pack()
      lane.close()
      closed = true
      database.close()
    },
  }
}

// Most verdicts are the same as the one before.
let plainVerdict = ''

function isPlainVerdict(text: string): boolean {
  if (text === plainVerdict) return true
  if (mayHoldSecret(text)) return false
  plainVerdict = text
  return true
}

/** Whether there is no secret in an entry, as far as that is seen at once. */
function isPlain({ secretFree, payload, failure, verdict, logs }: NewInvocationLogEntry): boolean {
  return (
    secretFree === true &&
    failure === undefined &&
    logs.length === 0 &&
    payload.length <= quickLook &&
    !mayHoldSecret(payload) &&
    (verdict === undefined || isPlainVerdict(verdict.text))
  )
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
