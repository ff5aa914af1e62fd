/** A mail on its way into a mailbox. */
export interface MailToDeliver {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** Counts up with each mail. */
  readonly sequence: number
  /** The sender of the envelope; empty for the null sender. */
  readonly from: string
  readonly raw: Buffer
}

/** A mail in a mailbox. */
export interface DeliveredMail {
  readonly address: string
  readonly folder: 'inbox' | 'junk'
  readonly id: string
  /** The path of the file, when the mailboxes are Maildirs. Identifies the mail in any case. */
  readonly path: string
  /** Milliseconds since the epoch. */
  readonly deliveredAt: number
  /** Bytes. */
  readonly size: number
}

/** The storage port of mailboxes. */
export interface Mailboxes {
  /**
   * Resolves when the mail is durable in the mailbox of the recipient, once. Rejects with STORAGE_FULL when there is no
   * space.
   * @param repeated whether an earlier attempt may have delivered it: only then the mailbox, which may be large, has to
   * be searched for the mail
   */
  readonly deliver: (
    mail: MailToDeliver,
    recipient: string,
    folder: 'inbox' | 'junk',
    repeated: boolean,
  ) => Promise<void>
  /** The mails in all mailboxes, or in that of one address; newest first. */
  readonly list: (address?: string) => Promise<readonly DeliveredMail[]>
  /**
   * A mail as on the wire, with `Return-Path` and `Delivered-To` on top. Finds it as well when a mail reader has moved
   * it within its mailbox since it was listed.
   */
  readonly read: (mail: DeliveredMail) => Promise<Buffer>
  /** The headers of a mail, and perhaps some of what follows. */
  readonly readHead: (mail: DeliveredMail) => Promise<Buffer>
}
