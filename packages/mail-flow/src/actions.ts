import { refuseUnknownOptions } from '@signalbox/core'
import {
  actionKey,
  actionTypes,
  addressKey,
  isAddress,
  type MailAction,
  type MailDecision,
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
  UnlistedRecipientError,
} from './errors.ts'
import { type Note, notesOf } from './notes.ts'
import { refuseTooLarge } from './refuse-too-large.ts'

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

interface Entry {
  readonly action: MailAction
  readonly recipients: string[]
}

/** A recipient, and the action that it has by name. */
interface Slot {
  readonly address: string
  entry: Entry | undefined
}

/** A builder for a decision about this mail. */
export function mailActions(event: MailEvent, options: MailActionsOptions = {}): MailActions {
  refuseUnknownOptions('mailActions()', options, ['overflow'])
  const { overflow = 'refuse' } = options
  const outbound = event.flowDirection === 'OUTBOUND'
  const closed = outbound && !event.truncated
  const entries = new Map<string, Entry>()
  let forAll: Entry | undefined
  // Made at the first name, since most decisions are about everyone.
  let slots: Map<string, Slot> | undefined
  let named = 0

  const add = (action: MailAction, recipients: readonly string[] | undefined): MailActions => {
    if (outbound && actionTypes[action.type].inboundOnly) throw new InboundOnlyActionError(action)
    const key = actionKey(action)
    const entry = entries.get(key)
    if (recipients === undefined) {
      if (forAll !== undefined && forAll !== entry)
        throw new ConflictingActionsError(undefined, forAll.action, action)
      forAll = entry ?? enter(key, action)
      return actions
    }
    slots ??= slotsOf(event)
    const found = find(slots, action, entry, recipients)
    if (found.size === 0) return actions
    if (outbound && named + found.size > outboundRecipientsLimit)
      throw new TooManyRecipientsError(named + found.size)
    const target = entry ?? enter(key, action)
    for (const [who, slot] of found) {
      slot.entry = target
      target.recipients.push(slot.address)
      slots.set(who, slot)
    }
    named += found.size
    return actions
  }

  const enter = (key: string, action: MailAction): Entry => {
    if (entries.size >= uniqueActionsLimit && overflow === 'refuse')
      throw new TooManyActionsError(
        Array.from(entries.values(), entry => entry.action),
        action,
      )
    const entry = { action, recipients: [] }
    entries.set(key, entry)
    return entry
  }

  // Changes nothing, so that a refused call leaves no trace.
  const find = (
    known: ReadonlyMap<string, Slot>,
    action: MailAction,
    entry: Entry | undefined,
    recipients: readonly string[],
  ): Map<string, Slot> => {
    if (!Array.isArray(recipients))
      throw new InvalidAddressError(
        `${action.type} takes a list of addresses, this is ${kindOf(recipients)}.`,
      )
    const found = new Map<string, Slot>()
    for (const address of recipients as readonly unknown[]) {
      if (typeof address !== 'string')
        throw new InvalidAddressError(`An address is a text, this is ${kindOf(address)}.`)
      const who = addressKey(address)
      const slot = known.get(who)
      if (slot === undefined) {
        if (!isAddress(address))
          throw new InvalidAddressError(`${JSON.stringify(address)} is not an address.`)
        if (closed) throw new UnlistedRecipientError(address)
        found.set(who, found.get(who) ?? { address, entry: undefined })
      } else if (slot.entry === undefined) found.set(who, slot)
      else if (slot.entry !== entry) throw new ConflictingActionsError(address, slot.entry.action, action)
    }
    return found
  }

  const actions: MailActions = {
    bounce(message, recipients) {
      if (message === undefined || message === null) return add({ type: 'BOUNCE' }, recipients)
      if (typeof message !== 'string') throw new InvalidBounceMessageError(kindOf(message))
      return add({ type: 'BOUNCE', parameters: { bounceMessage: message } }, recipients)
    },
    drop: recipients => add({ type: 'DROP' }, recipients),
    default: recipients => add({ type: 'DEFAULT' }, recipients),
    bypassSpamCheck: recipients => add({ type: 'BYPASS_SPAM_CHECK' }, recipients),
    moveToJunk: recipients => add({ type: 'MOVE_TO_JUNK' }, recipients),
    response() {
      const response = decisions(entries, forAll) ?? defaultForEveryone()
      refuseTooLarge(response)
      return Object.defineProperty(response, 'notes', {
        get: () => notesOf(response, event),
      }) as BuiltResponse
    },
  }
  held.set(actions, () => decisions(entries, forAll))
  return actions
}

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

function decisions(entries: ReadonlyMap<string, Entry>, forAll: Entry | undefined): MailResponse | undefined {
  if (entries.size === 0) return undefined
  const all = [...entries.values()]
  // Last of those that count, for readers who take the first action that fits.
  const position = forAll === undefined ? -1 : all.indexOf(forAll)
  if (position >= 0 && position < uniqueActionsLimit) {
    all.splice(position, 1)
    all.splice(uniqueActionsLimit - 1, 0, forAll!)
  }
  return {
    actions: all.map(
      (entry): MailDecision =>
        entry === forAll
          ? { action: entry.action, allRecipients: true }
          : { action: entry.action, recipients: entry.recipients.slice() },
    ),
  }
}

function slotsOf(event: MailEvent): Map<string, Slot> {
  const slots = new Map<string, Slot>()
  for (const { address } of event.envelope.recipients) {
    const who = addressKey(address)
    if (!slots.has(who)) slots.set(who, { address, entry: undefined })
  }
  return slots
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
