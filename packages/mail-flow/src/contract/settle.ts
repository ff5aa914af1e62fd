import { actionKey } from './action-key.ts'
import { addressKey } from './address.ts'
import type { MailEvent } from './event.ts'
import { uniqueActionsLimit } from './limits.ts'
import type { ActionName, MailAction, MailResponse } from './response.ts'

/** What happens to a mail for one of its recipients, and why. */
export interface RecipientVerdict {
  /** As the event spells it where it names the recipient first. */
  readonly address: string
  readonly outcome: 'deliver' | 'drop' | 'bounce' | 'fallback'
  /** The action that applies: the function's, or for the outcome `fallback` the configured one. */
  readonly action: MailAction
  /**
   * `named`: an action names the recipient. `all`: one is for all recipients. `overflow`: it would be one past the
   * ten unique actions. `uncovered`: no action is for it. `failed`: the invocation failed. `asynchronous`: what
   * the function answers does not matter.
   */
  readonly reason: 'named' | 'all' | 'overflow' | 'uncovered' | 'failed' | 'asynchronous'
  /** The reason as a sentence. */
  readonly why: string
}

/** What a valid response means for each recipient. */
export interface Settlement {
  /** One for every different recipient of the event, in its order. */
  readonly recipients: readonly RecipientVerdict[]
  /** The same for recipients that the response names and the event does not. */
  readonly unlisted: readonly RecipientVerdict[]
}

/**
 * What a response means, recipient by recipient (contract, Endpoints C, Errors and Limits). Where several actions
 * name a recipient, the first in the response counts; `allRecipients` covers those that no action names.
 * Recipients of actions past the ten unique ones, and those that no action covers, get the fallback.
 */
export function settle({ actions }: MailResponse, event: MailEvent, fallback: MailAction): Settlement {
  const unique = new Set<string>()
  const overflow: boolean[] = []
  const named = new Map<string, { readonly position: number; readonly address: string }>()
  let forAll: number | undefined
  for (const [position, { action, recipients, allRecipients }] of actions.entries()) {
    const key = actionKey(action)
    if (unique.size < uniqueActionsLimit) unique.add(key)
    overflow.push(!unique.has(key))
    for (const address of recipients ?? []) {
      const who = addressKey(address)
      if (!named.has(who)) named.set(who, { position, address })
    }
    if (allRecipients) forAll ??= position
  }
  const conclude = (
    address: string,
    position: number | undefined,
    reason: 'named' | 'all',
  ): RecipientVerdict => {
    if (position === undefined)
      return {
        address,
        outcome: 'fallback',
        action: fallback,
        reason: 'uncovered',
        why: 'no action is for it',
      }
    const { action } = actions[position]!
    const why = `action ${position + 1}, ${action.type}, ${reason === 'named' ? 'names it' : 'is for all recipients'}`
    return overflow[position]
      ? {
          address,
          outcome: 'fallback',
          action: fallback,
          reason: 'overflow',
          why: `${why}, but is past the ${uniqueActionsLimit} unique actions`,
        }
      : { address, outcome: outcomes[action.type], action, reason, why }
  }
  const recipients: RecipientVerdict[] = []
  for (const [who, address] of distinctRecipients(event)) {
    const entry = named.get(who)
    named.delete(who)
    recipients.push(entry ? conclude(address, entry.position, 'named') : conclude(address, forAll, 'all'))
  }
  const unlisted = Array.from(named.values(), ({ address, position }) => conclude(address, position, 'named'))
  return { recipients, unlisted }
}

/** The different recipients of a mail by what makes them different, as the event spells each first. */
export function distinctRecipients({ envelope }: MailEvent): Map<string, string> {
  const distinct = new Map<string, string>()
  for (const { address } of envelope.recipients) {
    const key = addressKey(address)
    if (!distinct.has(key)) distinct.set(key, address)
  }
  return distinct
}

const outcomes: Readonly<Record<ActionName, RecipientVerdict['outcome']>> = {
  BOUNCE: 'bounce',
  DROP: 'drop',
  DEFAULT: 'deliver',
  BYPASS_SPAM_CHECK: 'deliver',
  MOVE_TO_JUNK: 'deliver',
}
