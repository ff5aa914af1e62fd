import { optional } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'

/** The state of a mail for one recipient. */
const RecipientState = t.readonly(
  t.type({
    address: t.string,
    /** `INBOUND` or `OUTBOUND`. */
    direction: t.string,
    /** `undecided`, `delivering`, `delivered`, `relayed`, `dropped`, `bounced` or `failed`. */
    state: t.string,
    /** The reason, as a sentence. */
    why: t.string,
    attempts: t.number,
    /** The time of the next attempt in milliseconds since the epoch. */
    nextAt: optional(t.number),
  }),
)

/** A mail that the platform accepted. */
export const AcceptedMail = t.readonly(
  t.type({
    id: t.string,
    /** Milliseconds since the epoch. */
    receivedAt: t.number,
    /** The sender of the envelope; empty for the null sender. */
    from: t.string,
    subject: t.string,
    /** The size in bytes. */
    size: t.number,
    /** Whether the mail is a bounce: a report about a mail that was not delivered. */
    report: t.boolean,
    /** Whether delivery is paused until an operator releases the mail. */
    held: t.boolean,
    recipients: t.readonlyArray(RecipientState),
  }),
)
export type AcceptedMail = t.TypeOf<typeof AcceptedMail>

export const MailboxMail = t.readonly(
  t.type({
    address: t.string,
    id: t.string,
    folder: t.union([t.literal('inbox'), t.literal('junk')]),
    /** Milliseconds since the epoch. */
    deliveredAt: t.number,
    size: t.number,
    sender: t.string,
    subject: t.string,
  }),
)
export type MailboxMail = t.TypeOf<typeof MailboxMail>

/** The content of a parsed mail. */
export const MailContent = t.readonly(
  t.type({
    /** All headers in their original order, each with its name and value. */
    headers: t.readonlyArray(t.readonly(t.tuple([t.string, t.string]))),
    from: t.string,
    to: t.string,
    cc: t.string,
    subject: t.string,
    date: t.string,
    text: optional(t.string),
    /** The untrusted HTML of the mail. Show it only in a sandboxed frame that loads nothing. */
    html: optional(t.string),
    attachments: t.readonlyArray(
      t.readonly(t.type({ filename: optional(t.string), mimeType: t.string, size: t.number })),
    ),
  }),
)
export type MailContent = t.TypeOf<typeof MailContent>

export const MailToSend = t.readonly(
  t.intersection([
    t.type({ from: t.string, to: t.readonlyArray(t.string), subject: t.string, text: t.string }),
    t.partial({ html: t.string }),
  ]),
)
export type MailToSend = t.TypeOf<typeof MailToSend>

/** The mail server's answer to a mail that the console sent. */
export const OfferedMail = t.readonly(
  t.type({
    /** The id of the accepted mail. Undefined when it was refused for all recipients. */
    id: optional(t.string),
    refused: t.readonlyArray(t.readonly(t.type({ recipient: optional(t.string), reply: t.string }))),
  }),
)
export type OfferedMail = t.TypeOf<typeof OfferedMail>

/** A change to a queued mail. */
export const MailAction = t.keyof({ flush: null, hold: null, release: null, delete: null })
export type MailAction = t.TypeOf<typeof MailAction>

/** The console's operations on mail. */
export interface ConsoleMail {
  /** Returns all accepted mails, newest first. */
  readonly list: () => Promise<readonly AcceptedMail[]>
  /** Returns the raw text of an accepted mail. Returns undefined for an unknown or deleted mail. */
  readonly raw: (id: string) => Promise<Buffer | undefined>
  /** Returns the mails in all mailboxes or in one, newest first. */
  readonly mailboxes: (address?: string) => Promise<readonly MailboxMail[]>
  /** Returns the raw text of a mail in a mailbox. */
  readonly delivered: (address: string, id: string) => Promise<Buffer | undefined>
  readonly parse: (raw: Buffer) => Promise<MailContent>
  /** Returns the bytes of an attachment. */
  readonly attachment: (raw: Buffer, index: number) => Promise<Uint8Array | undefined>
  readonly send: (mail: MailToSend) => Promise<OfferedMail>
  /** Changes a queued mail. Rejects with RefusedError for a mail that is not queued. */
  readonly change: (id: string, action: MailAction) => Promise<void>
}
