import { damageReporter } from '@signalbox/platform-runtime/storage'

/** Works with a database of mails. Throws DamagedFileError for a file that is damaged. */
export const fromMails = damageReporter(
  'The mails',
  'Put a copy of the file back, or move it away: mailboxes keep what was delivered, and mail on its way is lost.',
)
