import { SignalboxError } from '@signalbox/core/base'
import type { SesResult } from './ses-record.ts'

/** Thrown when a function decides what a receipt rule of SES cannot carry out. The message says what it can. */
export class UnsupportedDecisionError extends SignalboxError {
  override readonly name = 'UnsupportedDecisionError'
  readonly code = 'UNSUPPORTED_DECISION'
}

/** The recipients for whom a mail bounces with the same text. */
interface BounceGroup {
  readonly recipients: string[]
  /** The text of the bounce. Undefined if the function gave none. */
  readonly message: string | undefined
}

/** What SES is told about a mail, and the bounces that are sent before. */
export interface SesDecision extends SesResult {
  readonly bounces: readonly BounceGroup[]
}

/** An element of `actions` in the response of a function. */
interface Decision {
  readonly action: { readonly type: string; readonly parameters?: { readonly bounceMessage?: string } | null }
  readonly recipients?: readonly string[] | null
  readonly allRecipients?: unknown
}

const usual: Decision['action'] = { type: 'DEFAULT' }

/**
 * Returns what SES is told for a valid response. As in the contract, the first action that names a recipient applies, and
 * a named recipient comes before `allRecipients`: docs/contract/mail-flow.md#verdict. Recipients that no action covers
 * take their usual way, and there is no limit of actions.
 * @throws UnsupportedDecisionError for actions that a receipt rule does not have, and for recipients of whom only some get
 * the mail
 */
export function sesDecision(actions: readonly Decision[], recipients: readonly string[]): SesDecision {
  const named = new Map<string, { readonly address: string; readonly action: Decision['action'] }>()
  let forOthers: Decision['action'] | undefined
  for (const { action, recipients: its, allRecipients } of actions) {
    for (const address of its ?? [])
      if (!named.has(keyOf(address))) named.set(keyOf(address), { address, action })
    if (String(allRecipients) === 'true') forOthers ??= action
  }
  const distinct = new Map<string, string>()
  for (const address of recipients) if (!distinct.has(keyOf(address))) distinct.set(keyOf(address), address)
  const decided = Array.from(distinct, ([key, address]) => ({
    address,
    action: named.get(key)?.action ?? forOthers ?? usual,
  }))
  for (const key of distinct.keys()) named.delete(key)
  for (const each of [...decided, ...named.values()])
    if (each.action.type === 'MOVE_TO_JUNK' || each.action.type === 'BYPASS_SPAM_CHECK')
      throw refused(`${said(each)} is not possible`, 'DEFAULT, DROP or BOUNCE')
  // An action that delivers adds a recipient that the event does not list.
  const added = [...named.values()].find(isDelivered)
  if (added !== undefined) throw refused(`${said(added)} adds a recipient`, 'recipients of the mail')
  const delivered = decided.find(isDelivered)
  const stopped = decided.find(each => !isDelivered(each))
  if (stopped === undefined) return { disposition: 'CONTINUE', bounces: [] }
  if (delivered !== undefined)
    throw refused(
      `${said(stopped)} differs from ${said(delivered)}`,
      'the mail to continue or to stop for all recipients',
    )
  const bounces = new Map<string | undefined, BounceGroup>()
  for (const { address, action } of decided) {
    if (action.type !== 'BOUNCE') continue
    const message = action.parameters?.bounceMessage ?? undefined
    const group = bounces.get(message) ?? { recipients: [], message }
    bounces.set(message, group)
    group.recipients.push(address)
  }
  return { disposition: 'STOP_RULE_SET', bounces: [...bounces.values()] }
}

/** Returns the error for a decision that a receipt rule cannot carry out. */
export function refused(what: string, expected: string): UnsupportedDecisionError {
  return new UnsupportedDecisionError(
    `A receipt rule of SES cannot carry out the decision: ${what}, expected ${expected}.`,
  )
}

interface Decided {
  readonly address: string
  readonly action: Decision['action']
}

function isDelivered({ action }: Decided): boolean {
  return action.type !== 'DROP' && action.type !== 'BOUNCE'
}

function said({ address, action }: Decided): string {
  return `${action.type} for ${address}`
}

/** Returns a key that is equal for addresses which differ only in the case of their domains. */
function keyOf(address: string): string {
  const at = address.lastIndexOf('@')
  return address.slice(0, at + 1) + address.slice(at + 1).toLowerCase()
}
