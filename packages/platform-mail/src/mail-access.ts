import type { DeliveredMail } from './mailboxes/mailboxes.ts'
import type { MailState } from './store/mail-store.ts'

/** The mail of a platform, for programs. Every call rejects if the platform is not running or has no mail. */
export interface Mail {
  /**
   * Returns the raw text of a mail by its id, for a function's `fetchMessage`. Returns undefined for an unknown or
   * deleted mail.
   */
  readonly fetch: (id: string) => Promise<Buffer | undefined>
  /**
   * Returns all stored mails with the disposition for each recipient, newest first.
   * @example
   * const [latest] = await platform.mail.states()
   * latest.recipients[0].state // 'delivered'
   */
  readonly states: () => Promise<readonly MailState[]>
  /**
   * Returns the mails in all mailboxes, or in the mailbox of one address, newest first. The address may be an alias or a
   * subaddress.
   * @example
   * const [mail] = await platform.mail.inbox('ann@office.example')
   * const raw = await platform.mail.read(mail)
   */
  readonly inbox: (address?: string) => Promise<readonly DeliveredMail[]>
  /** Returns the raw text of a delivered mail, with `Return-Path` and `Delivered-To` on top. */
  readonly read: (mail: DeliveredMail) => Promise<Buffer>
}

/** The mail access of a platform without mail. */
export const noMail: Mail = {
  fetch: refuse,
  states: refuse,
  inbox: refuse,
  read: refuse,
}

async function refuse(): Promise<never> {
  throw new Error('This platform has no mail. Add the key mail to its configuration.')
}
