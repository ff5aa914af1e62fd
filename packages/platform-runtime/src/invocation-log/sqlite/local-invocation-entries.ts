import type { DataDirectory } from '../../storage/data-directory.ts'
import { rowOf, sizeOf } from '../invocation-row.ts'
import type { InvocationEntries } from '../invocation-transfer.ts'
import { invocationLogDatabase } from './local-invocation-log.ts'
import { storedLog } from './stored-log.ts'

/**
 * Opens the entries of the log in a data directory in order to copy them. No platform may use the directory meanwhile.
 * @param notice is called with a sentence about damaged entries, which are left out
 */
export function localInvocationEntries(
  directory: Pick<DataDirectory, 'open'>,
  notice: (text: string) => void,
): InvocationEntries {
  const database = directory.open(invocationLogDatabase)
  const { table, write } = storedLog(database, { notice })
  return {
    read: async (after, limit) => table.following(after, limit),
    async write(entries) {
      const rows = entries.map(({ id, ...entry }) => ({ id, ...rowOf(entry) }))
      write(() => table.addNumbered(rows), { bytes: rows.reduce((sum, row) => sum + sizeOf(row), 0) })
    },
    close: async () => database.close(),
  }
}
