import type { MailSettings } from './config/mail-settings.ts'

/** Returns the address that sends the platform's mails without a sender of their own. */
export function ownAddress({ name }: Pick<MailSettings, 'name'>): string {
  return `no-reply@${name}`
}
