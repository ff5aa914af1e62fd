/** A mail for delivery into a mailbox. */
export interface MailToDeliver {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** A number that increases with each mail. */
  readonly sequence: number
  /** The sender of the envelope. Empty for the null sender. */
  readonly from: string
  /** The recipient, if that is an alias or a subaddress of the mailbox. */
  readonly to?: string | undefined
  readonly raw: Buffer
}

/** A mail in a mailbox. */
export interface DeliveredMail {
  readonly address: string
  readonly folder: 'inbox' | 'junk'
  readonly id: string
  /** Identifies the mail. In Maildirs, it is the path of the file. */
  readonly path: string
  /** Milliseconds since the epoch. */
  readonly deliveredAt: number
  /** The size in bytes. */
  readonly size: number
}

/** The storage port of mailboxes, which every storage engine implements. */
export interface Mailboxes {
  /**
   * Resolves when the recipient's mailbox has one durable copy of the mail. Rejects with STORAGE_FULL when there is
   * no space.
   * @param repeated whether an earlier attempt might have delivered the mail. The mailbox is searched for the mail only
   * in this case, because a mailbox can be large
   */
  readonly deliver: (
    mail: MailToDeliver,
    recipient: string,
    folder: 'inbox' | 'junk',
    repeated: boolean,
  ) => Promise<void>
  /**
   * Stores a mail copied from other mailboxes, with its folder and its time, unless this mailbox already has
   * it.
   * @param content the mail as `read` returns it
   */
  readonly restore: (
    mail: Pick<DeliveredMail, 'address' | 'folder' | 'id' | 'deliveredAt'>,
    content: Buffer,
  ) => Promise<void>
  /** Lists the mails in all mailboxes, or in the mailbox of one address, newest first. */
  readonly list: (address?: string) => Promise<readonly DeliveredMail[]>
  /**
   * Reads a mail, which begins with `Return-Path` and `Delivered-To` and has CRLF as line ends. The mail is found even
   * if a mail reader has moved it within its mailbox.
   */
  readonly read: (mail: DeliveredMail) => Promise<Buffer>
  /** Reads the headers of a mail, possibly with the beginning of its body. */
  readonly readHead: (mail: DeliveredMail) => Promise<Buffer>
  /** Deletes the mails in all mailboxes. Absent in mailboxes that several platforms share. */
  readonly clear?: () => Promise<void>
}
