import { setImmediate } from 'node:timers/promises'
import {
  maskedEntry,
  minimalEntry,
  type NewInvocationLogEntry,
  trimmedEntry,
} from '@signalbox/platform-runtime/invocation-log'
import type { UnnumberedEntry } from './invocation-rows.ts'

/** The size of the waiting entries, in bytes, above which new entries are shortened. */
const trimAbove = 4 * 1024 * 1024
/** The size of the waiting entries, in bytes, above which new entries are dropped. */
const dropAbove = 16 * 1024 * 1024

/** The maximum number of entries in one batch. */
const entriesInBatch = 500
/** The maximum size of the entries in one batch, in bytes. */
const bytesInBatch = 1024 * 1024

/** Milliseconds for which masking runs before it gives way to other work of the process. */
const maskingTurn = 10

/** Returns an empty list of entries that wait to be written. */
export function waitingEntries() {
  const waiting: NewInvocationLogEntry[] = []
  let size = 0

  return {
    isEmpty: () => waiting.length === 0,
    isBatchFull: () => waiting.length >= entriesInBatch,

    /**
     * Adds an entry, and shortens it if many entries are waiting. Drops it and returns false if too many are waiting.
     */
    add(entry: NewInvocationLogEntry): boolean {
      if (size > dropAbove) return false
      const trimmed = size > trimAbove ? minimalEntry(entry) : trimmedEntry(entry)
      waiting.push(trimmed)
      size += sizeOf(trimmed)
      return true
    },

    /** Returns the first entries, with their secrets removed. They stay in the list until `remove` is called. */
    async nextBatch(): Promise<readonly UnnumberedEntry[]> {
      const entries: UnnumberedEntry[] = []
      let [bytes, turn] = [0, performance.now()]
      while (entries.length < waiting.length && entries.length < entriesInBatch) {
        if (bytes >= bytesInBatch) break
        const entry = waiting[entries.length]!
        entries.push(maskedEntry(entry))
        bytes += sizeOf(entry)
        if (performance.now() - turn < maskingTurn) continue
        await setImmediate()
        turn = performance.now()
      }
      return entries
    },

    remove(count: number): void {
      for (const entry of waiting.splice(0, count)) size -= sizeOf(entry)
    },
  }
}

function sizeOf({ event, payload, logs }: NewInvocationLogEntry): number {
  return logs.reduce((sum, { text }) => sum + text.length, 200 + event.length + payload.length)
}
