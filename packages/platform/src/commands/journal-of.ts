import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Terminal } from '../command-line/terminal.ts'
import { settingsOf } from '../config/settings.ts'
import type { Entry, JournalQuery } from '../journal/entry.ts'
import { openJournalFile } from '../journal/journal-file.ts'
import { configFor } from './config-option.ts'
import { isThere } from './is-there.ts'

/** The journal of a configuration for reading, whether its box is running or not. Undefined when there is none yet. */
export async function journalOf(given: string | undefined, terminal: Terminal) {
  const { config, file, root } = await configFor(given, terminal)
  const { dataDir } = settingsOf(config, root, file)
  if (dataDir === undefined) throw new Error('This configuration keeps its journal in memory.')
  const path = join(dataDir, 'journal.sqlite')
  if (!isThere(path)) return undefined
  const database = new DatabaseSync(path)
  const journal = openJournalFile(database, terminal.complain)
  return {
    list: (query: JournalQuery): readonly Entry[] => journal.list(query),
    get: (id: number): Entry | undefined => journal.get(id),
    close: () => database.close(),
  }
}
