import { addressKey, isAddress, type MailAction, type MailEvent } from '../contract/index.ts'
import { delivers } from '../contract/recipient-verdicts.ts'
import { describeValue } from '../describe-value.ts'
import { ConflictingActionsError, InvalidAddressError, UnlistedRecipientError } from '../errors.ts'

/** An action, and the recipients that it names. */
export interface Entry {
  readonly action: MailAction
  readonly recipients: string[]
  /** Those of the recipients that the event does not list. */
  readonly unlisted: string[]
}

/** A recipient, and the action that names it. */
interface Addressee {
  /** The address as the event first spells it. If the event does not list the address, its domain is in lower case. */
  readonly address: string
  readonly isListed: boolean
  entry: Entry | undefined
  /** The number of the last call that named this recipient. */
  call: number
}

/**
 * Finds the recipients with these addresses that have no action yet, without duplicates.
 * @param entry the entry that `action` already has, or undefined
 * @throws InvalidAddressError, UnlistedRecipientError, and ConflictingActionsError for a recipient of another entry
 */
export type FindFree = (
  addresses: readonly string[],
  entry: Entry | undefined,
  action: MailAction,
) => Addressee[]

/**
 * Indexes the recipients that actions can name, so that the time of a lookup does not depend on the number of
 * recipients.
 */
export function addresseesOf(event: MailEvent): FindFree {
  const known = listed(event)
  const closed = event.flowDirection === 'OUTBOUND' && !event.truncated
  let call = 0
  const admit = (address: string, who: string, action: MailAction): Addressee => {
    if (!isAddress(address)) throw new InvalidAddressError(`${describeValue(address)} is not an address.`)
    if (closed && !delivers(action)) throw new UnlistedRecipientError(address)
    const addressee = { address: who, isListed: false, entry: undefined, call: 0 }
    known.set(who, addressee)
    return addressee
  }
  return (addresses, entry, action) => {
    call++
    const found: Addressee[] = []
    for (let i = 0; i < addresses.length; i++) {
      const address = addresses[i]!
      if (typeof address !== 'string')
        throw new InvalidAddressError(`An address must be a string, not ${describeValue(address)}.`)
      const who = addressKey(address)
      const addressee = known.get(who) ?? admit(address, who, action)
      if (addressee.entry !== undefined) {
        if (addressee.entry !== entry)
          throw new ConflictingActionsError(address, addressee.entry.action, action)
      } else if (addressee.call !== call) {
        addressee.call = call
        found.push(addressee)
      }
    }
    return found
  }
}

function listed({ envelope: { recipients } }: MailEvent): Map<string, Addressee> {
  const known = new Map<string, Addressee>()
  // The loop runs backwards, so that the first of several spellings is kept.
  for (let i = recipients.length - 1; i >= 0; i--) {
    const { address } = recipients[i]!
    known.set(addressKey(address), { address, isListed: true, entry: undefined, call: 0 })
  }
  return known
}
