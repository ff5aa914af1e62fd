import { MailStoreError, type StoredMails } from '@signalbox/platform-mail/store'
import { wrapFunctions } from '@signalbox/platform-runtime/storage'
import { DatabaseUnavailableError } from '../database-error.ts'
import { type MailStoreParts, mailStore } from './mail-store.ts'
import { mailboxes } from './mailboxes.ts'

/**
 * Opens the stores of mail in PostgreSQL. When the database is unavailable, each store throws the error that
 * its interface defines.
 */
export function storedMails(parts: MailStoreParts): StoredMails {
  return {
    store: wrapFunctions(mailStore(parts), translate),
    mailboxes: wrapFunctions(mailboxes(parts.database), translate),
  }
}

function translate(error: unknown): never {
  if (!(error instanceof DatabaseUnavailableError)) throw error
  throw new MailStoreError('UNAVAILABLE', error.message, { cause: error })
}
