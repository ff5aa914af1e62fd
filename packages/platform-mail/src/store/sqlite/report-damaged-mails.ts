import { damageReporter } from '@signalbox/platform-runtime/storage'

/** Runs a function on a mail database. Throws a DamagedFileError if the file is damaged. */
export const reportDamagedMails = damageReporter(
  'The mails',
  'Put a copy of the file back, or move it away: mailboxes keep delivered mail, and queued mail is lost.',
)
