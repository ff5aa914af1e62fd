import { isAddress, type MailVerdict, type RecipientVerdict } from '@signalbox/mail-flow/contract'
import type { MailSettings } from '../config/mail-settings.ts'
import { hasMisplacedDot } from '../misplaced-dot.ts'
import { directionOf, isRecipient } from '../routing.ts'
import type { Direction, NewRecipient, StoredMail } from '../store/mail-store.ts'
import { dispositionOf } from './disposition.ts'
import { longestAddress } from './mail-event.ts'

/** An address that a response adds to a mail. */
export interface AddedAddress extends Pick<RecipientVerdict, 'address' | 'action' | 'why'> {
  /** The reason why the mail cannot be given to this address. Undefined if it can. */
  readonly refusal: string | undefined
}

/**
 * Returns the recipients that a response adds to a mail: docs/contract/mail-flow.md#verdict.added-recipient.
 * @param direction the direction of the rule that applied
 * @param known returns the direction of an address for a mail that another server delivers, which then checks the address
 */
export function addedAddresses(
  verdict: MailVerdict,
  direction: Direction,
  settings: Pick<MailSettings, 'domains'>,
  known?: (address: string) => Direction,
): readonly AddedAddress[] {
  if (verdict.kind !== 'decided') return []
  return verdict.unlisted
    .filter(({ reason }) => reason === 'added')
    .map(({ address, action, why }) => {
      const refusal = refusalOf(address, direction, settings, known !== undefined)
      return { address: address.slice(0, longestAddress), action, why, refusal }
    })
}

/** Returns a recipient that a response added. One that the platform refuses has the state `failed`, with the reason. */
export function addedRecipient(
  added: AddedAddress,
  mail: Pick<StoredMail, 'from' | 'spam'>,
  settings: Pick<MailSettings, 'domains' | 'relay'>,
): NewRecipient {
  const { address, why, refusal } = added
  const direction = directionOf(address, settings)
  return refusal === undefined
    ? { address, direction, ...dispositionOf(added, why, mail, settings) }
    : { address, direction, state: 'failed', why: `${why}, but ${refusal}` }
}

/** Returns the reason why a mail of this direction cannot be given to an address, or undefined if it can. */
function refusalOf(
  address: string,
  direction: Direction,
  settings: Pick<MailSettings, 'domains'>,
  isElsewhere: boolean,
): string | undefined {
  if (!isAddress(address) || hasMisplacedDot(address) || address.length > longestAddress)
    return 'it is not an address'
  if (isElsewhere) return undefined
  if (directionOf(address, settings) === 'INBOUND')
    return isRecipient(address, settings) ? undefined : 'there is no such mailbox here'
  return direction === 'INBOUND'
    ? 'inbound mail can only be given to recipients of the domains of this platform'
    : undefined
}
