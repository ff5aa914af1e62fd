import { invocationLogDatabase } from '../../invocation-log/sqlite/local-invocation-log.ts'
import type { DataDirectory } from '../../storage/data-directory.ts'
import { openForReading } from '../../storage/database-files.ts'
import type { AccessLogEntry, AccessLogQuery } from '../access-record.ts'
import type { AccessStore, AccessStoreOptions } from '../access-storage.ts'
import type { KeyTable } from '../access-tables.ts'
import { accessLogTable, readAccessLogTable } from './access-log-table.ts'
import { keyTable } from './key-table.ts'

/**
 * The name of the database that holds access keys, and of the folder with the key that encrypts their
 * secrets.
 */
export const accessDatabase = 'access'

/** Opens the keys and the access log in a data directory. The log is in the database of the invocation log. */
export function localAccessStore(directory: DataDirectory, options: AccessStoreOptions): AccessStore {
  const { keys, close } = localKeys(directory)
  const log = directory.open(invocationLogDatabase)
  return {
    keys,
    log: accessLogTable(log, options),
    async close() {
      close()
      log.close()
    },
  }
}

/** Opens the keys in a data directory. */
export function localKeys(directory: DataDirectory): { readonly keys: KeyTable; readonly close: () => void } {
  const database = directory.open(accessDatabase)
  return { keys: keyTable(database), close: () => database.close() }
}

/** Returns the entries of the access log in a data directory, even while a platform is writing to it. */
export function readLocalAccessLog(dataDir: string, query: AccessLogQuery = {}): readonly AccessLogEntry[] {
  const database = openForReading(dataDir, invocationLogDatabase)
  if (database === undefined) return []
  try {
    return readAccessLogTable(database, query)
  } finally {
    database.close()
  }
}
