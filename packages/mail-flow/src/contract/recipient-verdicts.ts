import { actionKey } from './action-key.ts'
import { addressKey } from './address.ts'
import type { MailEvent } from './event.ts'
import { uniqueActionsLimit } from './limits.ts'
import type { ActionName, MailAction, MailDecision, MailResponse } from './response.ts'

/** The effect of a response on one recipient of a mail, with the reason. */
export interface RecipientVerdict {
  /** The address as the event first spells it. */
  readonly address: string
  readonly disposition: 'deliver' | 'drop' | 'bounce' | 'fallback'
  /**
   * The action that applies. For the disposition `fallback` it is the configured action, and otherwise the action in
   * the response.
   */
  readonly action: MailAction
  /**
   * `named`: an action names the recipient. `added`: an action that delivers names the recipient, and the event does not
   * list it, so the action adds it to the mail. `all`: an action is for all recipients. `overflow`: the action of the
   * recipient is not among the first ten unique actions. `uncovered`: no action is for the recipient. `failed`: the
   * invocation failed. `asynchronous`: the invocation was asynchronous, so the response has no effect.
   */
  readonly reason: 'named' | 'added' | 'all' | 'overflow' | 'uncovered' | 'failed' | 'asynchronous'
  /** The reason as a sentence. */
  readonly why: string
}

/** The meaning of a valid response for each recipient. */
export interface RecipientVerdicts {
  /** One verdict for each distinct recipient of the event, in the order of the event. */
  readonly recipients: readonly RecipientVerdict[]
  /**
   * The verdicts about recipients that the response names but the event does not list. Those with the reason `added` get
   * the mail, too; actions that do not deliver have no effect on them. A truncated event omits recipients, which are
   * among these.
   */
  readonly unlisted: readonly RecipientVerdict[]
}

/**
 * Returns the meaning of a response for each recipient: docs/contract/mail-flow.md#verdict. The first action that names
 * a recipient applies. An action with `allRecipients` applies to recipients that no action names. The fallback applies
 * to recipients without an action, and to recipients of actions after the first ten unique ones.
 * @example
 * ```ts
 * import { recipientVerdicts } from '@signalbox/mail-flow/contract'
 * import { mailEvent } from '@signalbox/mail-flow/testing'
 *
 * const response = { actions: [{ allRecipients: true, action: { type: 'DROP' } }] } as const
 * const { recipients } = recipientVerdicts(response, mailEvent(), { type: 'DEFAULT' })
 * recipients[0]?.disposition // 'drop'
 * ```
 */
export function recipientVerdicts(
  { actions }: MailResponse,
  event: MailEvent,
  fallback: MailAction,
): RecipientVerdicts {
  const unique = new Set<string>()
  const overflow: boolean[] = []
  const named = new Map<string, { readonly position: number; readonly address: string }>()
  let forAll: number | undefined
  for (const [position, decision] of actions.entries()) {
    const { action, recipients } = decision
    const key = actionKey(action)
    if (unique.size < uniqueActionsLimit) unique.add(key)
    overflow.push(!unique.has(key))
    for (const address of recipients ?? []) {
      const who = addressKey(address)
      if (!named.has(who)) named.set(who, { position, address })
    }
    if (isForAllRecipients(decision)) forAll ??= position
  }
  const conclude = (
    address: string,
    position: number | undefined,
    reason: 'named' | 'added' | 'all',
  ): RecipientVerdict => {
    if (position === undefined)
      return {
        address,
        disposition: 'fallback',
        action: fallback,
        reason: 'uncovered',
        why: 'no action is for this recipient',
      }
    const { action } = actions[position]!
    const why = `action ${position + 1} (${action.type}) ${does[reason]}`
    return overflow[position]
      ? {
          address,
          disposition: 'fallback',
          action: fallback,
          reason: 'overflow',
          why: `${why}, but is not among the first ${uniqueActionsLimit} unique actions`,
        }
      : { address, disposition: dispositions[action.type], action, reason, why }
  }
  const recipients: RecipientVerdict[] = []
  for (const [who, address] of distinctRecipients(event)) {
    const entry = named.get(who)
    named.delete(who)
    recipients.push(entry ? conclude(address, entry.position, 'named') : conclude(address, forAll, 'all'))
  }
  const unlisted = Array.from(named.values(), ({ address, position }) =>
    conclude(address, position, delivers(actions[position]!.action) ? 'added' : 'named'),
  )
  return { recipients, unlisted }
}

/**
 * Returns the distinct recipients of a mail, each in its first spelling. The keys of the map come from `addressKey`.
 * @example
 * ```ts
 * import { distinctRecipients } from '@signalbox/mail-flow/contract'
 * import { mailEvent } from '@signalbox/mail-flow/testing'
 *
 * const event = mailEvent({ recipients: ['ann@office.example', 'ann@OFFICE.example'] })
 * distinctRecipients(event).size // 1
 * ```
 */
export function distinctRecipients({ envelope }: MailEvent): Map<string, string> {
  const distinct = new Map<string, string>()
  for (const { address } of envelope.recipients) {
    const key = addressKey(address)
    if (!distinct.has(key)) distinct.set(key, address)
  }
  return distinct
}

const does = {
  named: 'names this recipient',
  added: 'adds this recipient',
  all: 'is for all recipients',
} as const

const dispositions: Readonly<Record<ActionName, RecipientVerdict['disposition']>> = {
  BOUNCE: 'bounce',
  DROP: 'drop',
  DEFAULT: 'deliver',
  BYPASS_SPAM_CHECK: 'deliver',
  MOVE_TO_JUNK: 'deliver',
}

/** Returns whether the recipients of an action get the mail, so that it can add recipients to the mail. */
export function delivers({ type }: Pick<MailAction, 'type'>): boolean {
  return dispositions[type] === 'deliver'
}

/** Returns whether an element of `actions` is for all recipients that no other element names. */
export function isForAllRecipients({ allRecipients }: Pick<MailDecision, 'allRecipients'>): boolean {
  return String(allRecipients) === 'true'
}
