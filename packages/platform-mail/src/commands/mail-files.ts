import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { CommandContext } from '@signalbox/platform-runtime/command-line'
import { databaseFiles, hasDatabase, openForReading } from '@signalbox/platform-runtime/storage'

/** Where the box of a configuration keeps its mails, whether it is running or not. */
export interface MailFiles {
  /** The folder with the mailboxes, which need not be there yet. */
  readonly mailboxes: string
  /** Opens what is known of all mails, for reading; undefined when there is nothing yet. */
  readonly open: () => DatabaseSync | undefined
  /** The same for changes, beside a box that may be running. */
  readonly openToChange: () => DatabaseSync | undefined
}

export async function mailFiles(given: string | undefined, terminal: CommandContext): Promise<MailFiles> {
  const { dataDir } = (await terminal.project(given)).settings
  if (dataDir === undefined) throw new Error('This configuration keeps its mails in memory.')
  return {
    mailboxes: join(dataDir, 'mailboxes'),
    open: () => openForReading(dataDir, 'mail'),
    openToChange: () => (hasDatabase(dataDir, 'mail') ? databaseFiles(dataDir).open('mail') : undefined),
  }
}
