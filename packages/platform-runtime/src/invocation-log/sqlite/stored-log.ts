import type { DatabaseSync } from 'node:sqlite'
import { damageReporter } from '../../storage/damaged-file.ts'
import { freeSpaceOf } from '../../storage/free-space.ts'
import { transactions, type Write } from '../../storage/transactions.ts'
import { invocationTable } from './invocation-table.ts'
import { prepareDatabase, usedPages } from './layout.ts'
import { hasFullTextSearch, textIndex } from './text-index.ts'

/** How a log is opened. */
export interface StoredLogOptions {
  /** Called with a sentence about damaged or deleted entries. */
  readonly notice: (text: string) => void
  readonly measure?: typeof freeSpaceOf
  /** Whether to use the full-text search of SQLite. By default, it is used where Node has it. */
  readonly fullTextSearch?: boolean | undefined
}

const damage = damageReporter('The invocations', 'Move the file away, and a new log begins.')

/**
 * Opens the entries and their index, and creates them in a new database. Each function throws DamagedFileError.
 * @throws UnknownLayoutError, DamagedFileError
 */
export function storedLog(
  database: DatabaseSync,
  { notice, measure = freeSpaceOf, fullTextSearch }: StoredLogOptions,
) {
  return damage.open(database, () => {
    prepareDatabase(database, notice)
    const index = textIndex(database, fullTextSearch ?? hasFullTextSearch(database))
    const table = invocationTable(database, index, notice)
    const space = measure(database)
    const inTransaction = transactions(database, options => new Error('the disk is full', options), space)
    const pages = usedPages(database)
    const addPages = database.prepare('update invocation_log set pages = pages + ?')
    const sizes = database.prepare(
      `select pages * page_size as log, page_count * page_size as file
      from invocation_log, pragma_page_count, pragma_page_size`,
    )

    /** Counts the pages that the work takes and frees, because the file also contains the access log. */
    const write: Write = (work, need) =>
      inTransaction(() => {
        const before = pages()
        const result = work()
        addPages.run(pages() - before)
        return result
      }, need)

    return {
      table,
      index,
      write,
      hasSpaceFor: space.forRows,
      /** Returns the number of bytes of the entries and their index, and of the whole file. */
      sizes: () => sizes.get() as { readonly log: number; readonly file: number },
      /** Returns some free pages of the file to the disk. */
      shrink: () => database.exec('pragma incremental_vacuum(1000)'),
    }
  })
}
