import type { Overflow } from './actions.ts'
import type { Entry } from './addressees.ts'
import {
  type MailDecision,
  type MailEvent,
  type MailResponse,
  responseSizeLimit,
  uniqueActionsLimit,
} from './contract/index.ts'
import { isSameData } from './same-data.ts'

/** What is known of a response because a builder made it. */
interface Built {
  readonly event: MailEvent
  readonly overflow: Overflow
  /** The same as the builder holds it, until more is asked of it. */
  readonly held: MailResponse
}

const known = new WeakMap<object, Built>()

/** The response that a builder's actions make. It is remembered, so that it need not be checked twice. */
export function buildResponse(
  entries: readonly Entry[],
  forAll: Entry | undefined,
  event: MailEvent,
  overflow: Overflow,
): MailResponse {
  const ordered = inOrder(entries, forAll)
  const held = { actions: ordered.map(entry => decisionOf(entry, entry === forAll)) }
  const response = { actions: held.actions.map(copyOf) }
  known.set(response, { event, overflow, held })
  return response
}

/**
 * Whether a builder for this event made the response, nobody changed it since, and it is so short that it cannot
 * exceed the limit of its size: then it keeps the contract. Costs a fraction of checking it.
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

/** The action for all is last of those that count, for readers who take the first action that fits. */
function inOrder(entries: readonly Entry[], forAll: Entry | undefined): readonly Entry[] {
  const position = forAll === undefined ? -1 : entries.indexOf(forAll)
  if (position < 0 || position >= uniqueActionsLimit) return entries
  const others = entries.toSpliced(position, 1)
  return others.toSpliced(uniqueActionsLimit - 1, 0, forAll!)
}

function decisionOf({ action, recipients }: Entry, isForAll: boolean): MailDecision {
  return isForAll ? { action, allRecipients: true } : { action, recipients }
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

/** Bytes of a builder's response as JSON, at most. */
function bytesAtMost({ actions }: MailResponse): number {
  let characters = 0
  for (const { action, recipients } of actions) {
    if (action.type === 'BOUNCE') characters += action.parameters?.bounceMessage?.length ?? 0
    for (const address of recipients ?? []) characters += address.length + 1
  }
  // A character has at most six bytes, and what stands around it at most a hundred for an action.
  return characters * 6 + actions.length * 100 + 100
}
