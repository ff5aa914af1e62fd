import { addresseesOf, type Entry, type FindFree } from './addressees.ts'
import { buildResponse } from './built-response.ts'
import { checkOptions } from './check-options.ts'
import {
  actionTypes,
  type MailAction,
  type MailEvent,
  type MailResponse,
  outboundRecipientsLimit,
  uniqueActionsLimit,
} from './contract/index.ts'
import {
  ConflictingActionsError,
  InboundOnlyActionError,
  InvalidAddressError,
  InvalidBounceMessageError,
  TooManyActionsError,
  TooManyRecipientsError,
} from './errors.ts'
import { type Note, notesOf } from './notes.ts'
import { refuseTooLarge } from './refuse-too-large.ts'
import { shown } from './shown.ts'

/**
 * Builds a decision about a mail in words. Each call adds an action for the recipients given, or without
 * recipients for all the others, and answers the builder. Recipients of the same action are merged into one.
 * A call that would break a limit throws and changes nothing.
 *
 * Every call throws InvalidAddressError for what is not an address, UnlistedRecipientError for one that the mail
 * cannot have, ConflictingActionsError for a recipient (or "all the others") with another action already,
 * TooManyActionsError for an eleventh unique action and TooManyRecipientsError for a 501st recipient of outbound
 * mail. Addresses are the same when they differ only in the case of the domain.
 */
export interface MailActions {
  /** Sends the mail back, with `message` as the text of the bounce. */
  bounce(message?: string, recipients?: readonly string[]): MailActions
  /** Lets the mail vanish. */
  drop(recipients?: readonly string[]): MailActions
  /** Lets the mail go its usual way. */
  default(recipients?: readonly string[]): MailActions
  /** Delivers the mail without a spam check. Throws InboundOnlyActionError for outbound mail. An extension. */
  bypassSpamCheck(recipients?: readonly string[]): MailActions
  /** Delivers the mail into the junk folder. Throws InboundOnlyActionError for outbound mail. An extension. */
  moveToJunk(recipients?: readonly string[]): MailActions
  /**
   * The response as it stands; without any call, and when every call named nobody, DEFAULT for everyone.
   * @throws ResponseTooLargeError above 256 KB
   */
  response(): BuiltResponse
  /** The same, so that a builder that a plain handler returns is its response. */
  toJSON(): MailResponse
}

/** A response, and what is to be said about it. The notes are not enumerable, so they are not sent. */
export interface BuiltResponse extends MailResponse {
  readonly notes: readonly Note[]
}

/** What happens at the eleventh unique action: it is refused, or its recipients get the fallback action. */
export type Overflow = 'refuse' | 'fallback'

export interface MailActionsOptions {
  /** Default `refuse`. With `fallback` the response's notes say whom it meets. */
  readonly overflow?: Overflow
}

/**
 * A builder for a decision about this mail.
 * @throws InvalidOptionError for options that cannot be meant
 */
export function mailActions(event: MailEvent, options: MailActionsOptions = {}): MailActions {
  checkOptions('mailActions()', options, ['overflow'])
  return builder(event, options.overflow)
}

/** The same, for those who checked the options long ago. */
export function builder(event: MailEvent, overflow: Overflow = 'refuse'): MailActions {
  const outbound = event.flowDirection === 'OUTBOUND'
  // By what makes an action unique: a bounce with a text by its text, the others by themselves.
  const entries = new Map<string | MailAction, Entry>()
  let forAll: Entry | undefined
  // Made at the first name, since most decisions are about everyone.
  let findFree: FindFree | undefined
  let named = 0

  const add = (
    key: string | MailAction,
    action: MailAction,
    recipients: readonly string[] | undefined,
  ): MailActions => {
    if (outbound && actionTypes[action.type].inboundOnly) throw new InboundOnlyActionError(action)
    if (recipients === undefined) {
      const entry = entries.get(key)
      if (forAll !== undefined && forAll !== entry)
        throw new ConflictingActionsError(undefined, forAll.action, action)
      forAll = entry ?? enter(key, action)
      return actions
    }
    if (!Array.isArray(recipients))
      throw new InvalidAddressError(`${action.type} takes a list of addresses, this is ${shown(recipients)}.`)
    // A copy first: reading a list may run anybody's code, and from here on only ours runs.
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
    const entry = { action, recipients: [] }
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
      return Object.defineProperty(response, 'notes', {
        get: () => notesOf(response, event),
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
 * What a builder holds, not measured yet: a function that gives the response, or undefined when no action was
 * asked for. Undefined for anything that is not a builder.
 */
export function heldBy(builder: object): (() => MailResponse | undefined) | undefined {
  return held.get(builder)
}

/** The answer of those who have nothing to say. */
export function defaultForEveryone(): MailResponse {
  return { actions: [{ action: { type: 'DEFAULT' }, allRecipients: true }] }
}
