import type { MailAuthentication } from '@signalbox/mail-flow/contract'

/** A mail to check. */
interface CheckedMail {
  /** The address of the sender. Empty for the null sender. */
  readonly from: string
  /** The address of the client. */
  readonly address: string
  /** The name in EHLO or HELO. */
  readonly helo: string
  /** The mail as the client sent it. */
  readonly raw: Buffer
}

/** Checks the sender of a mail by SPF, DKIM and DMARC. Resolves in a bounded time, and never rejects. */
export type CheckSender = (mail: CheckedMail) => Promise<MailAuthentication>
