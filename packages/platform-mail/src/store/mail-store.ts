import type { Claimed, ClaimedWork, WorkQueue } from '@signalbox/platform-runtime/work'
import type { MailRule } from '../config/mail-settings.ts'
import type { DecisionName, EarlyAttempt, RememberedDecision } from './early-decision.ts'
import type { MailFacts } from './mail-facts.ts'

export type Direction = 'INBOUND' | 'OUTBOUND'

/**
 * The destination of a mail. With `relay-inbox` and `relay-junk`, the relay gets the mail with a spam flag that says where
 * the next server files it.
 */
export type Destination = 'inbox' | 'junk' | 'relay' | 'relay-inbox' | 'relay-junk'

/** The carrier of a delivery. `mailbox` means the platform itself, which delivers into mailboxes. */
export type Carrier = 'mailbox' | 'relay'

/** Returns the carrier that delivers to a destination. */
export function carrierOf(destination: Destination): Carrier {
  return destination === 'inbox' || destination === 'junk' ? 'mailbox' : 'relay'
}

/**
 * The state of a mail for one recipient. While it is `undecided`, the mail waits for a function. While it is
 * `delivering`, the mail waits for a delivery. When it is `failed`, the mail was not delivered, and no sender could get
 * a report.
 */
export type RecipientState =
  | 'undecided'
  | 'delivering'
  | 'delivered'
  | 'relayed'
  | 'dropped'
  | 'bounced'
  | 'failed'

/** The disposition of a mail for one recipient. */
export interface Disposition {
  readonly state: RecipientState
  /** Present while the state is `delivering`. */
  readonly destination?: Destination
  /** The reason, as a sentence. */
  readonly why: string
}

/** A recipient of a mail that is not stored yet. */
export interface NewRecipient extends Disposition {
  readonly address: string
  readonly direction: Direction
  /** The id of the invocation that decides on this recipient, or did. */
  readonly invocation?: string | undefined
}

/** A recipient of a stored mail. */
export interface StoredRecipient {
  readonly id: number
  readonly address: string
  readonly state: RecipientState
  readonly destination: Destination | undefined
}

/** A stored mail without its text. */
export interface StoredMail {
  /** A number that increases with each mail. */
  readonly sequence: number
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** The sender of the envelope. Empty for the null sender. */
  readonly from: string
  /** The address in the From header. Empty if the header is missing. */
  readonly author: string
  readonly subject: string
  /** Whether an earlier mail server marked the mail as spam. */
  readonly spam: boolean
  /** Whether the platform created the mail as a report about an undelivered mail. */
  readonly report: boolean
  /** Whether the client that sent the mail used SMTPUTF8. */
  readonly utf8: boolean
  /** What is known about the client and the sender. Undefined for mails of the platform itself, and of earlier layouts. */
  readonly facts?: MailFacts | undefined
  /** Bytes. */
  readonly size: number
}

/** A mail to store, with its invocations, and with its deliveries to the recipients that have a destination. */
export interface NewMail extends Omit<StoredMail, 'sequence' | 'size'> {
  readonly raw: Uint8Array
  readonly recipients: readonly NewRecipient[]
  readonly invocations: readonly { readonly id: string; readonly rule: MailRule }[]
}

/** What belongs to a mail on which functions decided before it was accepted. */
export interface DecidedBefore {
  /** The remembered decisions, each of which has an effect once. */
  readonly decisions: readonly DecisionName[]
  /** The report to the sender, which is stored with the mail. */
  readonly report: NewMail | undefined
  /** The mails for recipients for whom a function changed the content, which are stored with the mail. */
  readonly others?: readonly NewMail[]
  /**
   * Whether the contents that the decisions have stay remembered, because another server keeps the mail and may ask again. Default:
   * false.
   */
  readonly keepsContents?: boolean
}

/** An invocation of a function with a mail, for all recipients to which one rule applies. */
export interface Invocation {
  readonly id: string
  /** The id of the mail. */
  readonly mail: string
  /** The rule that applied when the mail was accepted. */
  readonly rule: MailRule
  /** The number of attempts so far. */
  readonly attempts: number
  /** Milliseconds since the epoch. */
  readonly firstFailedAt: number | undefined
  /** The reason why the last attempt failed. Empty before the first failure. */
  readonly why: string
  /** The next step after a failure. */
  readonly next: 'attempt' | 'fallback'
  /** The claimed work that this invocation does. */
  readonly work: ClaimedWork
}

/** An invocation with its mail and its recipients. */
export interface PendingInvocation extends Invocation {
  readonly of: StoredMail
  readonly recipients: readonly StoredRecipient[]
}

/** The next step of an invocation after a failed attempt. */
export interface Postponement extends Pick<Invocation, 'attempts' | 'why' | 'next'> {
  readonly firstFailedAt: number
  /** Milliseconds since the epoch. */
  readonly nextAt: number
}

/** The part of a mail that a carrier still has to deliver. */
export interface Delivery {
  /** The id of the mail. */
  readonly mail: string
  readonly carrier: Carrier
  /** The time when the delivery first became due, in milliseconds since the epoch. */
  readonly since: number
  /** The number of attempts so far, without those that could not reach the relay. */
  readonly attempts: number
  /** The claimed work that this delivery does. */
  readonly work: ClaimedWork
}

/** A delivery with its mail and the remaining recipients. */
export interface PendingDelivery extends Delivery {
  readonly of: StoredMail
  /** Whether an earlier attempt might have delivered the mail although no result was stored. */
  readonly repeated: boolean
  readonly recipients: readonly StoredRecipient[]
}

/** The dispositions of recipients, and the mail that reports failures to the sender. */
interface Result {
  readonly dispositions: readonly (Disposition & { readonly recipient: number })[]
  readonly report: NewMail | undefined
}

/** The content that a function put in the place of the mail's, and what the platform reads in its head. */
export interface ChangedContent extends Pick<NewMail, 'author' | 'subject' | 'spam' | 'raw'> {
  /** The id of the mail with this content, if recipients remain for whom the content is not changed. */
  readonly splitId: string
}

/** The result of an invocation, which can also add recipients to the mail. */
interface InvocationResult extends Result {
  /** A recipient whose address the mail already has is not added. */
  readonly added: readonly NewRecipient[]
  /**
   * The content for the recipients of the invocation, and for those that it adds. If the mail has others, these recipients
   * move to a mail of their own.
   */
  readonly changed?: ChangedContent | undefined
}

/** The state of a mail for one recipient. */
export interface RecipientReport {
  readonly address: string
  readonly direction: Direction
  readonly state: RecipientState
  /** The reason, as a sentence. */
  readonly why: string
  /** The number of attempts so far to invoke the function or, after its decision, to deliver the mail. */
  readonly attempts: number
  /** The time when the next attempt is due. Milliseconds since the epoch. */
  readonly nextAt: number | undefined
}

/** The numbers of what is stored. */
export interface MailCounts {
  readonly recipients: { readonly [State in RecipientState]?: number }
  readonly held: number
}

/** A stored mail and its states. */
export interface MailState
  extends Pick<StoredMail, 'id' | 'receivedAt' | 'from' | 'subject' | 'size' | 'report'> {
  /** Whether an operator holds the mail. A held mail has no due work. */
  readonly held: boolean
  readonly recipients: readonly RecipientReport[]
}

/**
 * Changes queued mails, which wait for a function or a delivery. A name is the id of a mail or the beginning of
 * its id. An operation changes all named mails or none, and returns their ids. It rejects if a name does not
 * match exactly one queued mail.
 */
export interface QueuedMails {
  /**
   * Makes the deliveries of the named mails due now. Without names, does this for every mail that is not held. Rejects
   * if a named mail is held or has no delivery.
   */
  readonly flush: (names: readonly string[], now: number) => Promise<readonly string[]>
  /** Holds mails, so that their invocations and deliveries are not due until `release` is called. */
  readonly hold: (names: readonly string[]) => Promise<readonly string[]>
  /** Releases held mails. Rejects if one of the mails is not held. */
  readonly release: (names: readonly string[]) => Promise<readonly string[]>
  /** Deletes mails without a report to their senders. Mails in mailboxes stay there. */
  readonly remove: (names: readonly string[]) => Promise<readonly string[]>
}

/**
 * The storage port of mail, which keeps accepted mails, their pending work, and their dispositions. An operation that
 * rejects has changed nothing. Times are milliseconds since the epoch.
 */
export interface MailStore extends QueuedMails {
  /**
   * Resolves when the mail and its work are durable. Does nothing when a mail with this id is stored. Rejects with
   * STORAGE_FULL when there is no space, and with DECISION_REPLACED when one of the decisions is not remembered
   * for its content, and otherwise with ALREADY_ACCEPTED when a mail was stored for one of them.
   */
  readonly accept: (mail: NewMail, decided?: DecidedBefore) => Promise<void>
  /** Returns what is kept about these keys. Keys of which nothing is known are omitted. */
  readonly earlyDecisions: (keys: readonly string[], now: number) => Promise<readonly RememberedDecision[]>
  /**
   * Stores the result of an attempt to decide before the reply, and returns what counts: the first decision on the same
   * content, or the failures so far. A decision on other content under the same key replaces the earlier one.
   */
  readonly rememberEarly: (attempt: EarlyAttempt, now: number) => Promise<RememberedDecision>
  /** Forgets some of the early decisions that were not used since the given time. Resolves to true if there are more. */
  readonly forgetEarly: (until: number) => Promise<boolean>
  /** Returns the text of a mail. Returns undefined for an unknown or deleted mail. */
  readonly raw: (id: string) => Promise<Buffer | undefined>
  /** Returns all stored mails, newest first. */
  readonly states: () => Promise<readonly MailState[]>
  /** Counts the recipients of all stored mails by state, and the mails that are held. */
  readonly counts: () => Promise<MailCounts>
  /** Returns the names of the functions that stored mails are waiting for. */
  readonly awaitedFunctions: () => Promise<readonly string[]>
  /** Claims the due invocations of a function, earliest first. */
  readonly claimInvocations: (
    functionName: string,
    now: number,
    limit: number,
  ) => Promise<Claimed<PendingInvocation>>
  /** Stores the failure of an attempt, and the next step. */
  readonly postponeInvocation: (invocation: Invocation, how: Postponement, now: number) => Promise<void>
  /** Stores the end of an invocation. Does nothing if the mail was deleted in the meantime. */
  readonly concludeInvocation: (
    invocation: Invocation,
    result: InvocationResult,
    now: number,
  ) => Promise<void>
  /** Claims the due deliveries of a carrier, earliest first. */
  readonly claimDeliveries: (
    carrier: Carrier,
    now: number,
    limit: number,
  ) => Promise<Claimed<PendingDelivery>>
  /**
   * Stores the results of a delivery attempt. For recipients that are still `delivering`, the next attempt is at
   * `nextAt`. Does nothing if the mail was deleted in the meantime.
   * @param attempts the number of attempts that count
   */
  readonly concludeDelivery: (
    delivery: Delivery,
    attempts: number,
    result: Result,
    nextAt: number,
    now: number,
  ) => Promise<void>
  /** Ends claims without a result, as a work queue does. */
  readonly giveBack: WorkQueue['giveBack']
  readonly unclaim: WorkQueue['unclaim']
  /**
   * Deletes some of the mails that arrived up to the given time and have no pending work. Resolves to true if there
   * are more.
   */
  readonly forget: (until: number) => Promise<boolean>
  /**
   * If the clock was set back since the latest stored change, corrects the stored times: nothing that waits is due
   * later than it was. Only a platform that starts may call this.
   */
  readonly correctTimes: (now: number) => Promise<void>
  /** Calls a function after each change by another process. Returns a function that ends these calls. */
  readonly watch: (changed: () => void) => () => void
  /** Deletes all mails with their work. Absent in a store that several platforms share. */
  readonly clear?: () => Promise<void>
  readonly close: () => Promise<void>
}
