import type { MailSettings } from './config/mail-settings.ts'
import type { Mailboxes } from './mailboxes/mailboxes.ts'
import { mailboxOf } from './routing.ts'

/** Returns mailboxes that are listed by any address of theirs, which may be an alias or a subaddress. */
export function mailboxesByRecipient(
  mailboxes: Mailboxes,
  settings: Pick<MailSettings, 'domains'> | undefined,
): Mailboxes {
  if (settings === undefined) return mailboxes
  return {
    ...mailboxes,
    list: address => mailboxes.list(address === undefined ? undefined : mailboxOf(address, settings)),
  }
}
