import { addressKey, type MailAction, type MailVerdict } from '@signalbox/mail-flow/contract'
import { cutBounceText } from '../message/refusal-text.ts'
import type { AddedAddress } from './added-recipients.ts'

/** A decision in the form in which the store remembers it. Many recipients share few actions. */
interface Kept {
  readonly failed: boolean
  readonly choices: readonly Choice[]
  /** The index of the choice for each recipient, whose address is a key. */
  readonly recipients: readonly (readonly [string, number])[]
  readonly added: readonly AddedAddress[]
}

/** An action, and the reason why it applies. */
interface Choice {
  readonly action: MailAction
  readonly why: string
}

/** A decision that was remembered. */
export interface KeptDecision extends Pick<Kept, 'failed' | 'added'> {
  /** Returns what was decided for an address of the mail. */
  readonly choiceFor: (address: string) => Choice
}

/**
 * Returns the text of a decision for the store.
 * @param why the reason, when the fallback applies because the function failed
 */
export function keptText(verdict: MailVerdict, added: readonly AddedAddress[], why?: string): string {
  const choices: Choice[] = []
  const places = new Map<string, number>()
  const recipients = verdict.recipients.map(each => {
    const choice = { action: withCutText(each.action), why: why ?? each.why }
    const text = JSON.stringify(choice)
    const place = places.get(text) ?? choices.push(choice) - 1
    places.set(text, place)
    return [addressKey(each.address), place] as const
  })
  const kept: Kept = { failed: verdict.kind === 'failed', choices, recipients, added }
  return JSON.stringify(kept)
}

/** Reads a decision that `keptText` wrote. */
export function keptDecision(text: string): KeptDecision {
  const { failed, added, choices, recipients } = JSON.parse(text) as Kept
  const places = new Map(recipients)
  return { failed, added, choiceFor: address => choices[places.get(addressKey(address))!]! }
}

function withCutText(action: MailAction): MailAction {
  const bounceMessage = action.type === 'BOUNCE' ? action.parameters?.bounceMessage : undefined
  if (action.type !== 'BOUNCE' || typeof bounceMessage !== 'string') return { type: action.type }
  return { type: 'BOUNCE', parameters: { bounceMessage: cutBounceText(bounceMessage) } }
}
