/** A mail that a source sends. */
export interface OutboundMail {
  /** A unique id. A mail whose id is already stored is not stored again. */
  readonly id: string
  /**
   * An address with or without a name, such as `Staff <staff@example.com>`. Undefined for the server's own address.
   */
  readonly from: string | undefined
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Whether the text is HTML. */
  readonly isHtml: boolean
}

/** Accepts the mails that other sources send. */
export interface OutboundMailer {
  /** The server's own address, which sends the mails without a sender of their own. */
  readonly ownAddress: string
  /**
   * Accepts a mail. Resolves when the mail is durable. From then on it is delivered, even after a crash. Resolves with
   * false, and stores nothing, when no mailbox and no relay accepts mail for the recipient.
   */
  readonly submit: (mail: OutboundMail) => Promise<boolean>
}
