import { addressKey, isAddress, type MailAction, type MailEvent } from './contract/index.ts'
import { ConflictingActionsError, InvalidAddressError, UnlistedRecipientError } from './errors.ts'
import { shown } from './shown.ts'

/** An action, and who has it by name. */
export interface Entry {
  readonly action: MailAction
  readonly recipients: string[]
}

/** A recipient, and the action that it has by name. */
interface Addressee {
  /** As the event spells it first; where it does not list it, with the domain in lower case. */
  readonly address: string
  entry: Entry | undefined
  /** The call that found it last. */
  call: number
}

/**
 * The different recipients with these addresses that have no action by name yet.
 * @throws InvalidAddressError, UnlistedRecipientError, and ConflictingActionsError for one that has another action
 * than `entry`, which is that of `action` if there is one
 */
export type FindFree = (
  addresses: readonly string[],
  entry: Entry | undefined,
  action: MailAction,
) => Addressee[]

/** The recipients of a mail that actions can name. Finding one costs the same however many there are. */
export function addresseesOf(event: MailEvent): FindFree {
  const known = listed(event)
  const closed = event.flowDirection === 'OUTBOUND' && !event.truncated
  let call = 0
  const admit = (address: string, who: string): Addressee => {
    if (!isAddress(address)) throw new InvalidAddressError(`${shown(address)} is not an address.`)
    if (closed) throw new UnlistedRecipientError(address)
    const addressee = { address: who, entry: undefined, call: 0 }
    known.set(who, addressee)
    return addressee
  }
  return (addresses, entry, action) => {
    call++
    const found: Addressee[] = []
    for (let i = 0; i < addresses.length; i++) {
      const address = addresses[i]!
      if (typeof address !== 'string')
        throw new InvalidAddressError(`An address is a text, this is ${shown(address)}.`)
      const who = addressKey(address)
      const addressee = known.get(who) ?? admit(address, who)
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
  // Backwards, so that of several spellings the first one stays.
  for (let i = recipients.length - 1; i >= 0; i--) {
    const { address } = recipients[i]!
    known.set(addressKey(address), { address, entry: undefined, call: 0 })
  }
  return known
}
