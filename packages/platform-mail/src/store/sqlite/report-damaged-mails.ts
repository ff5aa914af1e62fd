import { damageReporter } from '@signalbox/platform-runtime/storage'

/** Does work on a database of mails. Throws DamagedFileError for a damaged file. */
export const reportDamagedMails = damageReporter(
  'The mails',
  'Put a copy of the file back, or move it away: mailboxes keep delivered mail, and queued mail is lost.',
)
