import { SignalboxError } from '@signalbox/core'
import {
  type MailAction,
  outboundRecipientsLimit,
  responseSizeLimit,
  uniqueActionsLimit,
} from './contract/index.ts'
import { describeValue } from './describe-value.ts'

/**
 * The builder got an eleventh unique action. The platform would apply the fallback action to the recipients
 * of that action: docs/contract/mail-flow.md#verdict.ten-actions.
 */
export class TooManyActionsError extends SignalboxError {
  override readonly name = 'TooManyActionsError'
  readonly code = 'TOO_MANY_ACTIONS'
  /** The first ten actions, in order. */
  declare readonly actions: readonly MailAction[]

  constructor(actions: readonly MailAction[], refused: MailAction) {
    super(
      `A response can have at most ${uniqueActionsLimit} unique actions. ${inWords(refused)} would be the eleventh. ` +
        `The others are ${actions.map(inWords).join(', ')}. Use fewer bounce messages, or set overflow: 'fallback' ` +
        'to apply the fallback action to the rest.',
    )
    this.actions = actions
  }
}

/** The builder got two different actions for one recipient, or for all other recipients. */
export class ConflictingActionsError extends SignalboxError {
  override readonly name = 'ConflictingActionsError'
  readonly code = 'CONFLICTING_ACTIONS'
  /** The recipient that both actions name. Undefined when both are for all other recipients. */
  declare readonly recipient: string | undefined

  constructor(recipient: string | undefined, there: MailAction, refused: MailAction) {
    const isForAll = recipient === undefined
    super(
      `${isForAll ? 'All other recipients already have' : `${describeValue(recipient)} already has`} the action ` +
        `${inWords(there)}, so ${isForAll ? 'they' : 'it'} cannot also have ${inWords(refused)}.`,
    )
    this.recipient = recipient
  }
}

/** The recipients are not a list of mail addresses. */
export class InvalidAddressError extends SignalboxError {
  override readonly name = 'InvalidAddressError'
  readonly code = 'INVALID_ADDRESS'
}

/** The message of a bounce is not a string. */
export class InvalidBounceMessageError extends SignalboxError {
  override readonly name = 'InvalidBounceMessageError'
  readonly code = 'INVALID_BOUNCE_MESSAGE'

  constructor(message: unknown) {
    super(
      `The bounce message must be a string, not ${describeValue(message)}. Use bounce(message, recipients).`,
    )
  }
}

/** A drop or a bounce names a recipient that the outbound mail does not have, and the event was not truncated. */
export class UnlistedRecipientError extends SignalboxError {
  override readonly name = 'UnlistedRecipientError'
  readonly code = 'UNLISTED_RECIPIENT'
  declare readonly recipient: string

  constructor(recipient: string) {
    super(
      `${describeValue(recipient)} is not a recipient of this mail. Outbound mail can be dropped or bounced only for ` +
        'its own recipients. An action that delivers adds a recipient.',
    )
    this.recipient = recipient
  }
}

/** The response to an outbound mail has an action that is only for inbound mail. */
export class InboundOnlyActionError extends SignalboxError {
  override readonly name = 'InboundOnlyActionError'
  readonly code = 'INBOUND_ONLY_ACTION'

  constructor(action: MailAction) {
    super(`${action.type} is only for inbound mail, and this mail is outbound. Use BOUNCE, DROP or DEFAULT.`)
  }
}

/**
 * The actions for an outbound mail name more than 500 recipients: docs/contract/mail-flow.md#limits.outboundRecipients.
 */
export class TooManyRecipientsError extends SignalboxError {
  override readonly name = 'TooManyRecipientsError'
  readonly code = 'TOO_MANY_RECIPIENTS'

  constructor(count: number) {
    super(
      `A response for outbound mail can name at most ${outboundRecipientsLimit} recipients, not ${count}. Call one ` +
        'action without recipients: it then applies to all other recipients.',
    )
  }
}

/** The response has more than 256 KB of JSON: docs/contract/mail-flow.md#limits.responseSize. */
export class ResponseTooLargeError extends SignalboxError {
  override readonly name = 'ResponseTooLargeError'
  readonly code = 'RESPONSE_TOO_LARGE'
  /** The number of bytes of the response as JSON in UTF-8. */
  declare readonly size: number

  constructor(size: number) {
    super(
      `The response has ${size} bytes as JSON, ${size - responseSizeLimit} above the ` +
        `${responseSizeLimit} allowed. Shorten the bounce messages, or call one action without recipients.`,
    )
    this.size = size
  }
}

/** There was no decision before the deadline. The platform treats this as a failed invocation, and retries it. */
export class DecisionTimeoutError extends SignalboxError {
  override readonly name = 'DecisionTimeoutError'
  readonly code = 'DECISION_TIMEOUT'

  constructor() {
    super(
      'There was no decision about the mail in time. The platform will try again, or use the fallback action.',
    )
  }
}

/** A mail exceeds a limit of the parser, or the parser failed. The content of the mail is unknown. */
export class MailNotParsedError extends SignalboxError {
  override readonly name = 'MailNotParsedError'
  readonly code = 'MAIL_NOT_PARSED'

  /** @param why the end of the message, such as `it has more than 5000 parts` */
  constructor(why: string, options?: ErrorOptions) {
    super(`The mail was not parsed: ${why}.`, options)
  }
}

function inWords(action: MailAction): string {
  const text = action.type === 'BOUNCE' ? action.parameters?.bounceMessage : undefined
  return typeof text === 'string' ? `${action.type} ${describeValue(text)}` : action.type
}
