import type { MailAction } from '@signalbox/mail-flow/contract'
import type { DecisionName } from '../store/early-decision.ts'
import type { Direction } from '../store/mail-store.ts'
import type { IncomingMail } from './incoming-mail.ts'

/** A mail whose client has no final reply yet. */
export interface OfferedMail extends IncomingMail {
  /**
   * The mail as the client sent it, without what this platform added. A client that sends the mail again is recognized by
   * it. Default: `raw`.
   */
  readonly sent?: Buffer | undefined
  /** Whether all synchronous rules decide now, and not only those with `decide: 'before'`. Default: false. */
  readonly everyRule?: boolean | undefined
  /** The reason why functions cannot change the mail, as a sentence. */
  readonly frozen?: string | undefined
  /** Returns the reason why a content cannot take the place of the mail's, as a sentence. Default: there is none. */
  readonly contentProblem?: ((content: Buffer) => string | undefined) | undefined
  /** Whether all recipients get the mail with the same content, because another server keeps it. Default: false. */
  readonly hasOneContent?: boolean | undefined
  /** Returns the direction of a recipient, when the door knows it better than the domains of the configuration do. */
  readonly directionOf?: ((address: string) => Direction) | undefined
}

/** The decision on one recipient of an offered mail. The address has the spelling of the mail. */
export type RecipientDecision = {
  readonly address: string
} & (
  | {
      readonly kind: 'decided'
      readonly action: MailAction
      /** The reason, as a sentence. */
      readonly why: string
      /** Whether the fallback decided, because the function failed. */
      readonly failed: boolean
      /** The remembered decision. */
      readonly name: DecisionName
      /** The id of the mail that was stored after this decision, when a client sends the mail again. */
      readonly storedAs: string | undefined
      /** The content that the function put in the place of the mail's, for this recipient. */
      readonly raw?: Buffer | undefined
    }
  /** No function has decided, and the timeout of the rule has not passed: the client should send the mail again. */
  | { readonly kind: 'later'; readonly why: string }
  /**
   * No rule decides on this recipient before the reply. The name and the stored mail are those of all such recipients, if
   * a rule decides on others.
   */
  | {
      readonly kind: 'open'
      readonly name?: DecisionName | undefined
      readonly storedAs?: string | undefined
    }
)

/** A recipient that a response adds to a mail. */
interface AddedRecipient {
  readonly address: string
  /** An action that delivers. */
  readonly action: MailAction
  readonly why: string
  /** The reason why the mail cannot be given to this recipient. */
  readonly refusal: string | undefined
  /** The direction of the rule that applied to the mail. */
  readonly direction: Direction
  /** The decision that adds the recipient. */
  readonly name: DecisionName
  readonly storedAs: string | undefined
  /** The content that the function put in the place of the mail's, for this recipient. */
  readonly raw?: Buffer | undefined
}

/** What functions decided on a mail before its client got a reply. */
export interface EarlyDecision {
  /** One decision for each recipient of the mail, in their order. */
  readonly recipients: readonly RecipientDecision[]
  readonly added: readonly AddedRecipient[]
}

/**
 * Decides on a mail before its client gets a reply. The same mail gets the same decision again, through any door
 * where functions can change it just as much. Resolves to undefined for a mail on which no rule decides before the reply.
 * @throws MailStoreError when decisions cannot be read or remembered
 */
export type DecideBefore = (mail: OfferedMail) => Promise<EarlyDecision | undefined>
