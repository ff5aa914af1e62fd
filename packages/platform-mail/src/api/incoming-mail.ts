import type { MailFacts } from '../store/mail-facts.ts'

/** A mail to store. */
export interface IncomingMail {
  /** The unique id. The trace line and the reply to the client contain it. */
  readonly id: string
  /** The address of the sender. Empty for the null sender. */
  readonly from: string
  /** Whether the client used SMTPUTF8. */
  readonly utf8: boolean
  /** What is known about the client and the sender. Undefined for mails of the platform itself. */
  readonly facts?: MailFacts | undefined
  /** The recipients, without duplicates. */
  readonly recipients: readonly string[]
  /** The whole mail, beginning with the trace line of this server. */
  readonly raw: Buffer
}
