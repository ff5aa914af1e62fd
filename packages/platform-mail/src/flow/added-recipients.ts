import { isAddress, type MailVerdict } from '@signalbox/mail-flow/contract'
import type { MailSettings } from '../config/mail-settings.ts'
import { hasMisplacedDot } from '../misplaced-dot.ts'
import { directionOf, isRecipient } from '../routing.ts'
import type { Direction, NewRecipient, PendingInvocation } from '../store/mail-store.ts'
import { dispositionOf } from './disposition.ts'
import { longestAddress } from './mail-event.ts'

/**
 * Returns the recipients that the response adds to a mail: docs/contract/mail-flow.md#verdict.added-recipient. Those
 * that the platform refuses have the state `failed`, with the reason.
 */
export function addedRecipients(
  verdict: MailVerdict,
  { of: mail, rule }: Pick<PendingInvocation, 'of' | 'rule'>,
  settings: Pick<MailSettings, 'domains' | 'relay'>,
): readonly NewRecipient[] {
  if (verdict.kind !== 'decided') return []
  return verdict.unlisted
    .filter(({ reason }) => reason === 'added')
    .map(added => {
      const { address, why } = added
      const refusal = refusalOf(address, rule.direction, settings)
      const direction = directionOf(address, settings)
      return refusal === undefined
        ? { address, direction, ...dispositionOf(added, why, mail, settings) }
        : {
            address: address.slice(0, longestAddress),
            direction,
            state: 'failed',
            why: `${why}, but ${refusal}`,
          }
    })
}

/** Returns the reason why a mail of this direction cannot be given to an address, or undefined if it can. */
function refusalOf(
  address: string,
  direction: Direction,
  settings: Pick<MailSettings, 'domains'>,
): string | undefined {
  if (!isAddress(address) || hasMisplacedDot(address) || address.length > longestAddress)
    return 'it is not an address'
  if (directionOf(address, settings) === 'INBOUND')
    return isRecipient(address, settings) ? undefined : 'there is no such mailbox here'
  return direction === 'INBOUND'
    ? 'inbound mail can only be given to recipients of the domains of this platform'
    : undefined
}
