import type { DatabaseSync } from 'node:sqlite'
import { SignalboxError } from '@signalbox/core/base'

/** The file of the journal is not what SQLite has written. */
export class DamagedJournalError extends SignalboxError {
  override readonly name = 'DamagedJournalError'
  readonly code = 'DAMAGED_JOURNAL'
}

/** What SQLite calls a corrupt file, and one that is no database. */
const damaged: readonly unknown[] = [11, 26]

/**
 * Reads a journal.
 * @throws DamagedJournalError which says where it is, instead of what SQLite says of a damaged file
 */
export function fromJournal<T>(database: DatabaseSync, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const { errcode, message } = error as Error & { readonly errcode?: number }
    // The last eight bits are the kind of an error, and the others say more of it.
    if (!damaged.includes((errcode ?? 0) & 0xff)) throw error
    throw new DamagedJournalError(
      `The journal ${database.location()} is damaged: ${message}. Move it away, and a new one begins.`,
    )
  }
}
