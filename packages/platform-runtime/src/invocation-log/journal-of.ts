import type { CommandContext } from '../command-line/command-context.ts'
import { databaseFiles, hasDatabase } from '../storage/database-files.ts'
import type { Entry, JournalQuery } from './entry.ts'
import { openJournalFile } from './journal-file.ts'

/** The journal of a configuration for reading, whether its box is running or not. Undefined when there is none yet. */
export async function journalOf(given: string | undefined, terminal: CommandContext) {
  const { dataDir } = (await terminal.project(given)).settings
  if (dataDir === undefined) throw new Error('This configuration keeps its journal in memory.')
  if (!hasDatabase(dataDir, 'journal')) return undefined
  const database = databaseFiles(dataDir).open('journal')
  const journal = openJournalFile(database, terminal.complain)
  return {
    list: (query: JournalQuery): readonly Entry[] => journal.list(query),
    get: (id: number): Entry | undefined => journal.get(id),
    close: () => database.close(),
  }
}
