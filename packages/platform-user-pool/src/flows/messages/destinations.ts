import { domainToASCII } from 'node:url'
import type { User } from '../../store/user-pool-store.ts'
import { normalized } from '../../users/attributes.ts'

/** The destination of a code. */
export interface Destination {
  readonly attribute: 'email' | 'phone_number'
  readonly medium: 'EMAIL' | 'SMS'
  readonly to: string
}

/** Returns the destination of a code for an address attribute, or undefined if the account lacks this address. */
export function destinationOf(
  attributes: User['attributes'],
  attribute: 'email' | 'phone_number',
): Destination | undefined {
  const to = attributes[attribute]
  return to === undefined || to === ''
    ? undefined
    : { attribute, medium: attribute === 'email' ? 'EMAIL' : 'SMS', to }
}

/** Returns the delivery details that clients get, with a masked address. */
export function deliveryDetails({ attribute, medium, to }: Destination) {
  return { Destination: masked(to), DeliveryMedium: medium, AttributeName: attribute }
}

/** Masks an address so that only its owner recognizes it, as in `f***@e***` and `+*******3456`. */
function masked(to: string): string {
  const at = to.lastIndexOf('@')
  if (at < 0) return `+${'*'.repeat(Math.max(to.length - 5, 0))}${to.slice(-4)}`
  return `${to[0]}***@${to[at + 1]}***`
}

/**
 * Returns the same text for all spellings of an address that reach the same mailbox, such as `Ann@EXAMPLE.com.` and
 * `"ann"@example.com`. An address with a detail, such as `ann+shop@example.com`, counts as another one, because not every
 * server has them.
 */
export function destinationKey(to: string): string {
  const at = to.lastIndexOf('@')
  if (at < 0) return to
  const [local, domain] = [to.slice(0, at), to.slice(at + 1)]
  const plain = /^".*"$/.test(local) ? local.slice(1, -1).replace(/\\(.)/g, '$1') : local
  return `${normalized(plain)}@${(domainToASCII(domain) || domain.toLowerCase()).replace(/\.$/, '')}`
}
