import type { MailEvent } from '@signalbox/mail-flow/contract'
import type { MailRule } from '../config/mail-settings.ts'

const minute = 60_000

/** Recipients whose local parts say what the function or the relay does with their mail. */
export const inbound = ['deliver', 'junk', 'drop', 'bounce', 'forgotten'].map(
  name => `${name}@office.example`,
)
export const outbound = ['deliver', 'drop', 'bounce', 'refused', 'later', 'never'].map(
  name => `${name}@far.example`,
)
/** A mail that was sent. */
export interface Sent {
  readonly from: string
  readonly to: readonly string[]
  /** The time when it was sent, in milliseconds. */
  readonly at: number
  /** The number of minutes for which the function fails for this mail. */
  readonly broken: number
}

const localPart = (address: string) => address.slice(0, address.indexOf('@'))

/** The decision of the function. The fallback applies to `forgotten` recipients. */
const decisions: { readonly [local: string]: string } = {
  drop: 'DROP',
  bounce: 'BOUNCE',
  junk: 'MOVE_TO_JUNK',
}

/** Returns the function's response for these recipients. */
export function answerTo(recipients: MailEvent['envelope']['recipients']) {
  const actions = recipients
    .map(({ address }) => address)
    .filter(address => localPart(address) !== 'forgotten')
    .map(address => ({ action: { type: decisions[localPart(address)] ?? 'DEFAULT' }, recipients: [address] }))
  return { actions: actions.length === 0 ? [{ action: { type: 'DEFAULT' }, recipients: [] }] : actions }
}

/** Returns the relay's reply for a mail of the given age in milliseconds. */
export function answerOfRelay(address: string, age: number): 'relayed' | 'refused' | 'later' {
  const local = localPart(address)
  if (local === 'refused') return 'refused'
  return local === 'never' || (local === 'later' && age < 20 * minute) ? 'later' : 'relayed'
}

/**
 * Returns the final states that a recipient can reach. If the function recovers, the state depends on when the platform
 * was running.
 */
export function endsOf(
  address: string,
  { from, broken }: Sent,
  { mode, fallback }: MailRule,
): ReadonlySet<string> {
  const delivered = () => {
    if (address.endsWith('@office.example')) return 'delivered'
    return ['refused', 'never'].includes(localPart(address))
      ? from === ''
        ? 'failed'
        : 'bounced'
      : 'relayed'
  }
  const end = (action: string) =>
    action === 'DROP' ? 'dropped' : action === 'BOUNCE' ? (from === '' ? 'dropped' : 'bounced') : delivered()
  if (mode === 'async') return new Set([delivered()])
  const local = localPart(address)
  const decided = end(local === 'forgotten' ? fallback : (decisions[local] ?? 'DEFAULT'))
  return new Set(broken === 0 ? [decided] : broken > 1000 ? [end(fallback)] : [decided, end(fallback)])
}
