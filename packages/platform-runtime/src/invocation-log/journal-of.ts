import type { CommandContext } from '../command-line/command-context.ts'
import { databaseFiles, hasDatabase } from '../storage/database-files.ts'
import type { InvocationLogEntry, InvocationLogQuery } from './entry.ts'
import { openJournalFile } from './journal-file.ts'

/** The invocation log of a configuration for reading, whether its box is running or not. Undefined when there is none yet. */
export async function invocationLogOf(given: string | undefined, terminal: CommandContext) {
  const { dataDir } = (await terminal.project(given)).settings
  if (dataDir === undefined) throw new Error('This configuration keeps its invocation log in memory.')
  if (!hasDatabase(dataDir, 'invocation-log')) return undefined
  const database = databaseFiles(dataDir).open('invocation-log')
  const journal = openJournalFile(database, terminal.printError)
  return {
    list: (query: InvocationLogQuery): readonly InvocationLogEntry[] => journal.list(query),
    get: (id: number): InvocationLogEntry | undefined => journal.get(id),
    close: () => database.close(),
  }
}
