import { type DamageReporter, damageReporter } from '@signalbox/platform-runtime/storage'

/** Reports damage of a mail database. */
export const mailDamage: DamageReporter = damageReporter(
  'The mails',
  'Put a copy of the file back, or move it away: mailboxes keep delivered mail, and queued mail is lost.',
)
