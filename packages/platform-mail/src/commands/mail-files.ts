import { join } from 'node:path'
import type { CommandContext } from '@signalbox/platform-runtime/command-line'
import { databaseFiles, hasDatabase, openForReading } from '@signalbox/platform-runtime/storage'
import type { Mailboxes } from '../mailboxes/mailboxes.ts'
import type { MailState, QueuedMails } from '../store/mail-store.ts'

/** The stored mail of a configuration, for commands, whether its platform is running or not. */
export interface MailFiles {
  readonly mailboxes: Mailboxes
  /** All stored mails, newest first. Changes nothing. */
  readonly states: () => Promise<readonly MailState[]>
  /** Works on the queued mails. Rejects when no mail was ever stored. */
  readonly change: <T>(work: (queued: QueuedMails) => Promise<T>) => Promise<T>
}

/** @throws Error for a configuration that keeps its mail in memory */
export async function mailFiles(
  configFile: string | undefined,
  terminal: CommandContext,
): Promise<MailFiles> {
  const { dataDir } = (await terminal.project(configFile)).settings
  if (dataDir === undefined) throw new Error('This configuration keeps its mail in memory.')
  const { maildirs } = await import('../mailboxes/maildirs.ts')
  return {
    mailboxes: maildirs(join(dataDir, 'mailboxes')),

    async states() {
      const { mailStates } = await import('../store/sqlite/states.ts')
      const database = openForReading(dataDir, 'mail')
      try {
        return database === undefined ? [] : mailStates(database)
      } finally {
        database?.close()
      }
    },

    async change(work) {
      if (!hasDatabase(dataDir, 'mail')) throw new Error('There are no mails.')
      const { localMailStore } = await import('../store/sqlite/local-mail-store.ts')
      const store = localMailStore(databaseFiles(dataDir).open('mail'))
      try {
        return await work(store)
      } finally {
        await store.close()
      }
    },
  }
}
