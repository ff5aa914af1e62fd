import {
  type MailDecision,
  type MailEvent,
  type MailResponse,
  responseSizeLimit,
  uniqueActionsLimit,
} from '../contract/index.ts'
import type { Entry } from './addressees.ts'
import { isSameData } from './same-data.ts'

/**
 * Decides what happens at the eleventh unique action: either the call throws, or the recipients of the action
 * get the fallback action.
 */
export type Overflow = 'refuse' | 'fallback'

/** Data about a response that a builder made. */
interface Built {
  readonly event: MailEvent
  readonly overflow: Overflow
  /** A copy of the response that no handler can change. */
  readonly held: MailResponse
}

const known = new WeakMap<object, Built>()

/** Makes the response of a builder, and remembers this response, so that no later check is necessary. */
export function buildResponse(
  entries: readonly Entry[],
  forAll: Entry | undefined,
  event: MailEvent,
  overflow: Overflow,
): MailResponse {
  const ordered = inOrder(entries, forAll)
  const held = { actions: ordered.flatMap(entry => decisionsOf(entry, entry === forAll)) }
  const response = { actions: held.actions.map(copyOf) }
  known.set(response, { event, overflow, held })
  return response
}

/**
 * Returns whether the response comes unchanged from a builder for this event, and is certainly below the size limit. If
 * so, the response is valid. This test is much faster than a full check of the response.
 */
export function isAsBuilt(response: object, event: MailEvent, overflow: Overflow): boolean {
  const built = known.get(response)
  return (
    built !== undefined &&
    built.event === event &&
    built.overflow === overflow &&
    isSameData(response, built.held) &&
    bytesAtMost(built.held) <= responseSizeLimit
  )
}

/**
 * Moves the action for all recipients behind the first ten unique actions, for platforms that apply the first matching
 * action.
 */
function inOrder(entries: readonly Entry[], forAll: Entry | undefined): readonly Entry[] {
  const position = forAll === undefined ? -1 : entries.indexOf(forAll)
  if (position < 0 || position >= uniqueActionsLimit) return entries
  const others = entries.toSpliced(position, 1)
  return others.toSpliced(uniqueActionsLimit - 1, 0, forAll!)
}

/** Returns the elements of an action. Recipients that the event does not list are named beside `allRecipients`. */
function decisionsOf({ action, recipients, unlisted }: Entry, isForAll: boolean): readonly MailDecision[] {
  if (!isForAll) return [{ action, recipients }]
  const all = { action, allRecipients: true }
  return unlisted.length === 0 ? [all] : [{ action, recipients: unlisted }, all]
}

function copyOf(decision: MailDecision): MailDecision {
  const { action, recipients } = decision
  const { parameters } = action
  return {
    ...decision,
    action: (parameters ? { ...action, parameters: { ...parameters } } : { ...action }) as typeof action,
    ...(recipients && { recipients: recipients.slice() }),
  }
}

/** Returns an upper bound for the size of a response in bytes, as JSON. */
function bytesAtMost({ actions }: MailResponse): number {
  let characters = 0
  for (const { action, recipients } of actions) {
    if (action.type === 'BOUNCE') characters += action.parameters?.bounceMessage?.length ?? 0
    for (const address of recipients ?? []) characters += address.length + 1
  }
  // In JSON, a character takes at most six bytes, and the rest of an action at most a hundred bytes.
  return characters * 6 + actions.length * 100 + 100
}
