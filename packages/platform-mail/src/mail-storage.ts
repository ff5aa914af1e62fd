import type { DataDirectory, StoragePort } from '@signalbox/platform-runtime/storage'
import type { Mailboxes } from './mailboxes/mailboxes.ts'
import type { MailStore } from './store/mail-store.ts'

/** The open storage of mail. */
export interface StoredMails {
  readonly store: MailStore
  readonly mailboxes: Mailboxes
}

/** Opens the storage of mail. */
export type MailStorage = () => Promise<StoredMails>

/** The storage port of mail. A storage engine implements it and passes its shared test suites. */
export const mailStorage: StoragePort<MailStorage> = { name: 'mail' }

/** Keeps mail in a SQLite database in a data directory, and mailboxes as Maildirs next to the database. */
export function localMailStorage(directory: Pick<DataDirectory, 'open' | 'folder'>): MailStorage {
  return async () => {
    const { localMailStore } = await import('./store/sqlite/local-mail-store.ts')
    const { maildirs } = await import('./mailboxes/maildirs.ts')
    const database = directory.open('mail')
    try {
      const store = localMailStore(database)
      return { store, mailboxes: maildirs(directory.folder('mailboxes'), store.hasSpaceForFile) }
    } catch (error) {
      database.close()
      throw error
    }
  }
}
