import { join } from 'node:path'
import type { CommandContext } from '@signalbox/platform-runtime/command-line'
import type { Settings } from '@signalbox/platform-runtime/config'
import {
  databaseFiles,
  hasDatabase,
  type OpenStorageEngine,
  openForReading,
} from '@signalbox/platform-runtime/storage'
import { mailPart } from '../config/mail-part.ts'
import type { Mailboxes } from '../mailboxes/mailboxes.ts'
import { mailboxesByRecipient } from '../mailboxes-by-recipient.ts'
import type { MailState, QueuedMails } from '../store/mail-store.ts'
import { withMail } from './with-mail.ts'

/** The stored mail of a configuration, for commands. Mailboxes are listed by any address of theirs. It works whether or not the platform is running. */
export interface MailFiles {
  readonly mailboxes: Mailboxes
  /** Returns all stored mails, newest first. */
  readonly states: () => Promise<readonly MailState[]>
  /** Changes queued mails. Rejects if no mail was ever stored. */
  readonly change: <T>(work: (queued: QueuedMails) => Promise<T>) => Promise<T>
}

/**
 * Returns access to the stored mail of a configuration.
 * @throws Error for a configuration that keeps its mail in memory
 */
export async function mailFiles(
  configFile: string | undefined,
  terminal: CommandContext,
): Promise<MailFiles> {
  const { settings } = await terminal.project(configFile)
  const files = await storedMail(settings, terminal)
  return { ...files, mailboxes: mailboxesByRecipient(files.mailboxes, settings.of(mailPart)) }
}

async function storedMail({ dataDir, storage }: Settings, terminal: CommandContext): Promise<MailFiles> {
  if (storage !== undefined) return engineMail(storage, terminal.printError)
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

/** Returns access to the mail that a storage engine keeps. */
function engineMail(open: OpenStorageEngine, notice: (text: string) => void): MailFiles {
  const onMailboxes = <T>(work: (mailboxes: Mailboxes) => Promise<T>) =>
    withMail(open, notice, ({ mailboxes }) => work(mailboxes))
  return {
    mailboxes: {
      deliver: (...mail) => onMailboxes(mailboxes => mailboxes.deliver(...mail)),
      restore: (...mail) => onMailboxes(mailboxes => mailboxes.restore(...mail)),
      list: address => onMailboxes(mailboxes => mailboxes.list(address)),
      read: mail => onMailboxes(mailboxes => mailboxes.read(mail)),
      readHead: mail => onMailboxes(mailboxes => mailboxes.readHead(mail)),
    },
    states: () => withMail(open, notice, ({ store }) => store.states()),
    change: work => withMail(open, notice, ({ store }) => work(store)),
  }
}
