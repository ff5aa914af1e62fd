import {
  type MailAction,
  type MailEvent,
  type MailResponse,
  outboundRecipientsLimit,
  uniqueActionsLimit,
} from '../contract/index.ts'
import { inboundOnlyActions } from '../contract/ready.ts'
import { describeValue } from '../describe-value.ts'
import {
  ConflictingActionsError,
  InboundOnlyActionError,
  InvalidAddressError,
  InvalidBounceMessageError,
  TooManyActionsError,
  TooManyRecipientsError,
} from '../errors.ts'
import { addresseesOf, type Entry, type FindFree } from './addressees.ts'
import type { Overflow } from './built-response.ts'
import { buildResponse } from './built-response.ts'
import { refuseTooLarge } from './refuse-too-large.ts'
import { type ResponseWarning, warningsOf } from './warnings.ts'

/**
 * Builds the response to a mail. Each call adds an action and returns the builder. The action is for the given
 * recipients, or for all other recipients when none are given. Calls with the same action are merged. A call that would
 * break a limit throws and changes nothing.
 *
 * An action that delivers adds recipients that the mail does not have: any to outbound mail, and those of its own domains
 * to inbound mail.
 *
 * A call throws InvalidAddressError for a string that is not an address, UnlistedRecipientError when outbound mail is
 * dropped or bounced for an address that is not a recipient, ConflictingActionsError for a recipient with another action, TooManyActionsError for the eleventh
 * unique action, and TooManyRecipientsError for the 501st recipient of outbound mail. The case of a domain is ignored.
 *
 * @example
 * mailFlow((mail, actions) => actions.bounce('Left the company', ['gone@example.com']).default())
 */
export interface MailActions {
  /** Returns the mail to its sender, with `message` as the text of the bounce. */
  bounce(message?: string, recipients?: readonly string[]): MailActions
  /** Discards the mail. */
  drop(recipients?: readonly string[]): MailActions
  /** Delivers the mail as usual. */
  default(recipients?: readonly string[]): MailActions
  /**
   * Delivers the mail without a spam check. Throws InboundOnlyActionError for outbound mail. This action is not in the
   * contract.
   */
  bypassSpamCheck(recipients?: readonly string[]): MailActions
  /**
   * Delivers the mail into the junk folder. Throws InboundOnlyActionError for outbound mail. This action is not in the
   * contract.
   */
  moveToJunk(recipients?: readonly string[]): MailActions
  /**
   * Returns the response so far. Without actions, it is DEFAULT for all recipients.
   * @throws ResponseTooLargeError above 256 KB
   */
  response(): BuiltResponse
  /** Returns the response as JSON, so that a plain handler may return the builder itself. */
  toJSON(): MailResponse
}

/** A response, and the warnings about it. The warnings are not enumerable, so they are not sent. */
export interface BuiltResponse extends MailResponse {
  readonly warnings: readonly ResponseWarning[]
}

/** Makes a builder. The caller must have checked the options. */
export function builder(event: MailEvent, overflow: Overflow = 'refuse'): MailActions {
  const outbound = event.flowDirection === 'OUTBOUND'
  // The key of a bounce with a message is the message. The key of any other action is the action itself.
  const entries = new Map<string | MailAction, Entry>()
  let forAll: Entry | undefined
  // Most responses name no recipient, so the index of recipients is made only when a call names one.
  let findFree: FindFree | undefined
  let named = 0

  const add = (
    key: string | MailAction,
    action: MailAction,
    recipients: readonly string[] | undefined,
  ): MailActions => {
    if (outbound && inboundOnlyActions.includes(action.type)) throw new InboundOnlyActionError(action)
    if (recipients === undefined) {
      const entry = entries.get(key)
      if (forAll !== undefined && forAll !== entry)
        throw new ConflictingActionsError(undefined, forAll.action, action)
      forAll = entry ?? enter(key, action)
      return actions
    }
    if (!Array.isArray(recipients))
      throw new InvalidAddressError(
        `${action.type} expects a list of addresses, not ${describeValue(recipients)}.`,
      )
    // Reading the list may run a getter of the caller, and the getter may call this builder. So the list is copied
    // once before it is used.
    const addresses = [...recipients]
    const entry = entries.get(key)
    findFree ??= addresseesOf(event)
    const free = findFree(addresses, entry, action)
    if (free.length === 0) return actions
    const count = named + free.length
    if (outbound && count > outboundRecipientsLimit) throw new TooManyRecipientsError(count)
    const target = entry ?? enter(key, action)
    for (const addressee of free) {
      addressee.entry = target
      target.recipients.push(addressee.address)
      if (!addressee.isListed) target.unlisted.push(addressee.address)
    }
    named = count
    return actions
  }

  const enter = (key: string | MailAction, action: MailAction): Entry => {
    if (entries.size >= uniqueActionsLimit && overflow === 'refuse')
      throw new TooManyActionsError(
        Array.from(entries.values(), entry => entry.action),
        action,
      )
    const entry = { action, recipients: [], unlisted: [] }
    entries.set(key, entry)
    return entry
  }

  const hold = (): MailResponse | undefined =>
    entries.size === 0 ? undefined : buildResponse([...entries.values()], forAll, event, overflow)

  const actions: MailActions = {
    bounce(message, recipients) {
      if (message === undefined || message === null) return add(bounce, bounce, recipients)
      if (typeof message !== 'string') throw new InvalidBounceMessageError(message)
      return add(message, { type: 'BOUNCE', parameters: { bounceMessage: message } }, recipients)
    },
    drop: recipients => add(drop, drop, recipients),
    default: recipients => add(byDefault, byDefault, recipients),
    bypassSpamCheck: recipients => add(bypassSpamCheck, bypassSpamCheck, recipients),
    moveToJunk: recipients => add(moveToJunk, moveToJunk, recipients),
    response() {
      const response = hold() ?? defaultForEveryone()
      refuseTooLarge(response)
      return Object.defineProperty(response, 'warnings', {
        get: () => warningsOf(response, event),
      }) as BuiltResponse
    },
    toJSON: () => actions.response(),
  }
  held.set(actions, hold)
  return actions
}

const bounce: MailAction = { type: 'BOUNCE' }
const drop: MailAction = { type: 'DROP' }
const byDefault: MailAction = { type: 'DEFAULT' }
const bypassSpamCheck: MailAction = { type: 'BYPASS_SPAM_CHECK' }
const moveToJunk: MailAction = { type: 'MOVE_TO_JUNK' }

const held = new WeakMap<object, () => MailResponse | undefined>()

/**
 * Returns a function that makes the response of a builder without a size check, or undefined if the value is not a
 * builder. The function returns undefined while the builder has no actions.
 */
export function heldBy(builder: object): (() => MailResponse | undefined) | undefined {
  return held.get(builder)
}

/** Returns the response DEFAULT for all recipients. */
export function defaultForEveryone(): MailResponse {
  return { actions: [{ action: { type: 'DEFAULT' }, allRecipients: true }] }
}
