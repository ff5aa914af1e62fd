/** A mail on its way into a mailbox. */
export interface MailToDeliver {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** A number that increases with each mail. */
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
   * Resolves when the mailbox of the recipient holds the mail once and durably. Rejects with STORAGE_FULL when there
   * is no space.
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
   * A mail as on the wire, below `Return-Path` and `Delivered-To`. A mail that a mail reader has moved within its
   * mailbox is found, too.
   */
  readonly read: (mail: DeliveredMail) => Promise<Buffer>
  /** The headers of a mail, perhaps with some of its body. */
  readonly readHead: (mail: DeliveredMail) => Promise<Buffer>
}
