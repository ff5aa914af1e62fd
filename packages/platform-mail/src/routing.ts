import { partsOf } from './address-pattern.ts'
import type { MailDomain, MailSettings } from './config/mail-settings.ts'
import type { Destination, Direction } from './store/mail-store.ts'

type Domains = Pick<MailSettings, 'domains'>

/** Where a mail is filed: where its spam flag says, or where a function says. */
export type Filing = 'usual' | 'inbox' | 'junk'

/**
 * Returns the direction of a mail. Mail to domains of the configuration is inbound, and all other mail is
 * outbound.
 */
export function directionOf(address: string, { domains }: Domains): Direction {
  return domains.has(partsOf(address).domain) ? 'INBOUND' : 'OUTBOUND'
}

/** Returns whether an address of a domain of the configuration gets mail. The postmaster of each domain always does. */
export function isRecipient(address: string, { domains }: Domains): boolean {
  const { local, domain } = partsOf(address)
  const found = domains.get(domain)
  return found !== undefined && recipientName(local, found) !== undefined
}

/**
 * Returns the address of the mailbox for mail to an address, which may be an alias or a subaddress. An address without a
 * mailbox of its own is its own mailbox.
 */
export function mailboxOf(address: string, { domains }: Domains): string {
  const { local, domain } = partsOf(address)
  const found = domains.get(domain)
  if (found?.to !== 'mailboxes') return address
  const name = recipientName(local, found)
  if (name === undefined || name === local) return address
  return name.includes('@') ? name : `${name}${address.slice(address.lastIndexOf('@'))}`
}

/**
 * Returns the local part that gets the mail for a local part, or the address if that is in another domain. Returns
 * undefined if nobody gets the mail.
 */
function recipientName(local: string, { recipients, aliases, subaddresses }: MailDomain): string | undefined {
  const listed = (name: string) => (recipients !== '*' && recipients.has(name) ? name : aliases.get(name))
  const found = listed(local)
  if (found !== undefined) return found
  const plus = subaddresses ? local.indexOf('+') : -1
  const base = plus > 0 && !local.startsWith('"') ? local.slice(0, plus) : local
  return listed(base) ?? (recipients === '*' || base === 'postmaster' ? base : undefined)
}

/** Returns the destination of a mail to an address. Only inbound mail has a filing other than `usual`. */
export function destinationOf(
  address: string,
  filing: Filing,
  spam: boolean,
  { domains, relay }: Pick<MailSettings, 'domains' | 'relay'>,
): Destination {
  const to = domains.get(partsOf(address).domain)?.to
  const isKept = to === 'mailboxes' || (relay === 'keep' && typeof to !== 'object')
  if (isKept) return filing === 'usual' ? (spam ? 'junk' : 'inbox') : filing
  return filing === 'usual' ? 'relay' : `relay-${filing}`
}
