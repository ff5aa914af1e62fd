import type { DatabaseSync } from 'node:sqlite'
import { SignalboxError } from '@signalbox/core/base'
import { isDamage } from '../storage/damaged-file.ts'
import { fileOf } from '../storage/file-of.ts'

/** The file of the invocation log is not what SQLite has written. */
export class DamagedJournalError extends SignalboxError {
  override readonly name = 'DamagedJournalError'
  readonly code = 'DAMAGED_JOURNAL'
}

/**
 * Reads an invocation log.
 * @throws DamagedJournalError which says where it is, instead of what SQLite says of a damaged file
 */
export function fromJournal<T>(database: DatabaseSync, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!isDamage(error)) throw error
    throw new DamagedJournalError(
      `The invocation log ${fileOf(database)} is damaged: ${error.message}. Move it away, and a new one begins.`,
    )
  }
}
