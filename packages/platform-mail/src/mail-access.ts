import type { DeliveredMail } from './mailboxes/mailboxes.ts'
import type { MailState } from './store/mail-store.ts'

/** The mail of a platform, for programs. Every call rejects unless the platform runs and has mail. */
export interface Mail {
  /** The raw text of a mail by its id, for a function's `fetchMessage`. Undefined for an unknown or deleted mail. */
  readonly fetch: (id: string) => Promise<Buffer | undefined>
  /**
   * All stored mails with the disposition for each recipient, newest first.
   * @example
   * const [latest] = await platform.mail.states()
   * latest.recipients[0].state // 'delivered'
   */
  readonly states: () => Promise<readonly MailState[]>
  /**
   * The mails in all mailboxes, or in the mailbox of one address, newest first.
   * @example
   * const [mail] = await platform.mail.inbox('ann@office.example')
   * const raw = await platform.mail.read(mail)
   */
  readonly inbox: (address?: string) => Promise<readonly DeliveredMail[]>
  /** The raw text of a delivered mail, with `Return-Path` and `Delivered-To` on top. */
  readonly read: (mail: DeliveredMail) => Promise<Buffer>
}

/** The mail of a platform whose configuration has no mail. */
export const noMail: Mail = {
  fetch: refuse,
  states: refuse,
  inbox: refuse,
  read: refuse,
}

async function refuse(): Promise<never> {
  throw new Error('This platform has no mail. Add the key mail to its configuration.')
}
