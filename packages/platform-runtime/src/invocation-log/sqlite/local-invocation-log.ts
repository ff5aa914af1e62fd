import type { DatabaseSync } from 'node:sqlite'
import { databaseFiles, hasDatabase } from '../../storage/database-files.ts'
import { gatheredLog } from '../gathered-log.ts'
import type { InvocationLog, InvocationLogOptions, InvocationLogReader } from '../invocation-log.ts'
import { sizeOf } from '../invocation-row.ts'
import { logLimits } from './log-limits.ts'
import { type StoredLogOptions, storedLog } from './stored-log.ts'

/** The name of the log's database in a data directory. */
export const invocationLogDatabase = 'invocation-log'

/** When more entries than this are written at once, the index waits, because requests need the time. */
const busyAbove = 32

/** Milliseconds for which the index of an idle log grows before other work of the process has its turn. */
const indexTurn = 4

/**
 * Opens the invocation log in a SQLite database.
 * @throws UnknownLayoutError when a later version wrote it, and DamagedFileError when it is damaged
 */
export function localInvocationLog(
  database: DatabaseSync,
  options: InvocationLogOptions,
  more: Omit<StoredLogOptions, 'notice'> = {},
): InvocationLog {
  const stored = storedLog(database, { ...more, notice: options.notice })
  const { table, index, write, hasSpaceFor } = stored
  const limits = logLimits(stored, options)
  let isFull = false

  const { append, flush, watch, close } = gatheredLog(
    {
      insert(rows) {
        let bytes = 0
        for (const row of rows) bytes += sizeOf(row)
        const need = { kind: 'log', bytes } as const
        // When this does not help, the log stays as it is until there is space.
        if (!isFull && !hasSpaceFor(need)) limits.free()
        isFull = true
        const ids = write(() => table.add(rows), need)
        isFull = false
        return ids
      },
      tidy(written) {
        limits.apply()
        if (!index.isBehind()) return false
        if (written > busyAbove || !hasSpaceFor(indexNeed)) return true
        const end = written === 0 ? performance.now() + indexTurn : 0
        do write(index.grow, indexNeed)
        while (index.isBehind() && performance.now() < end)
        return index.isBehind()
      },
      isTemporary: () => false,
    },
    options,
  )

  return {
    append,
    flush,
    watch,
    ...readerOf(stored, flush),
    async close() {
      await close()
      database.close()
    },
  }
}

/**
 * Opens the log of a data directory for a command, even while a platform is writing to it. Returns undefined if nothing
 * has been logged there yet.
 * @param notice is called with a sentence about damaged entries
 */
export async function readLocalInvocationLog(
  dataDir: string,
  notice: (text: string) => void,
): Promise<InvocationLogReader | undefined> {
  if (!hasDatabase(dataDir, invocationLogDatabase)) return undefined
  const database = databaseFiles(dataDir).open(invocationLogDatabase)
  return {
    ...readerOf(storedLog(database, { notice }), async () => {}),
    close: async () => database.close(),
  }
}

function readerOf(
  { table }: ReturnType<typeof storedLog>,
  flush: () => Promise<void>,
): Omit<InvocationLogReader, 'close'> {
  const after =
    <In extends readonly unknown[], Out>(read: (...values: In) => Out | Promise<Out>) =>
    async (...values: In): Promise<Out> => {
      await flush()
      return read(...values)
    }
  return {
    list: after((query = {}) => table.list(query)),
    get: after(table.get),
    search: after(table.search),
    trace: after(table.trace),
    scan: after(table.scan),
  }
}

const indexNeed = { kind: 'log', bytes: 64 * 1024 } as const
