import { addressKey, isAddress, type MailEvent } from './contract/index.ts'
import { InvalidAddressError, UnlistedRecipientError } from './errors.ts'
import { shown } from './shown.ts'

/** A recipient, and whose it is by name. */
interface Addressee<Owner> {
  /** As the event spells it first; where it does not list it, with the domain in lower case. */
  readonly address: string
  owner: Owner | undefined
  /** The call that found it last. */
  call: number
}

/** The recipients that actions can name. */
export interface Addressees<Owner> {
  /**
   * The different recipients with these addresses that nobody owns yet.
   * @throws InvalidAddressError, UnlistedRecipientError, and what `taken` throws for one with another owner
   */
  free(
    addresses: readonly string[],
    owner: Owner | undefined,
    taken: (address: string, by: Owner) => Error,
  ): Addressee<Owner>[]
}

/** The recipients of a mail. Finding one costs the same however many there are. */
export function addresseesOf<Owner>(event: MailEvent): Addressees<Owner> {
  const known = listed<Owner>(event)
  const closed = event.flowDirection === 'OUTBOUND' && !event.truncated
  let call = 0
  const admit = (address: string, who: string): Addressee<Owner> => {
    if (!isAddress(address)) throw new InvalidAddressError(`${shown(address)} is not an address.`)
    if (closed) throw new UnlistedRecipientError(address)
    const addressee = { address: who, owner: undefined, call: 0 }
    known.set(who, addressee)
    return addressee
  }
  return {
    free(addresses, owner, taken) {
      call++
      const found: Addressee<Owner>[] = []
      for (let i = 0; i < addresses.length; i++) {
        const address = addresses[i]!
        if (typeof address !== 'string')
          throw new InvalidAddressError(`An address is a text, this is ${shown(address)}.`)
        const who = addressKey(address)
        const addressee = known.get(who) ?? admit(address, who)
        if (addressee.owner !== undefined) {
          if (addressee.owner !== owner) throw taken(address, addressee.owner)
        } else if (addressee.call !== call) {
          addressee.call = call
          found.push(addressee)
        }
      }
      return found
    },
  }
}

function listed<Owner>({ envelope: { recipients } }: MailEvent): Map<string, Addressee<Owner>> {
  const known = new Map<string, Addressee<Owner>>()
  // Backwards, so that of several spellings the first one stays.
  for (let i = recipients.length - 1; i >= 0; i--) {
    const { address } = recipients[i]!
    known.set(addressKey(address), { address, owner: undefined, call: 0 })
  }
  return known
}
