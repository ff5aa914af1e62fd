import type { MailSettings } from './config/mail-settings.ts'
import { domainKey } from './domain-key.ts'
import { mailboxName } from './mailbox-name.ts'
import type { Destination, Direction } from './store/mail-store.ts'

/**
 * Returns the direction of a mail. Mail to domains of the configuration is inbound, and all other mail is
 * outbound.
 */
export function directionOf(address: string, { mailboxes }: Pick<MailSettings, 'mailboxes'>): Direction {
  return mailboxes.has(partsOf(address).domain) ? 'INBOUND' : 'OUTBOUND'
}

/** Returns whether an address has a mailbox on this platform. The postmaster of each domain always has a mailbox. */
export function hasMailbox(address: string, { mailboxes }: Pick<MailSettings, 'mailboxes'>): boolean {
  const { local, domain } = partsOf(address)
  const names = mailboxes.get(domain)
  const name = mailboxName(local)
  return names !== undefined && (names === '*' || names.has(name) || name === 'postmaster')
}

/** Returns the destination of a mail for the action `DEFAULT`. */
export function defaultDestination(
  direction: Direction,
  spam: boolean,
  { relay }: Pick<MailSettings, 'relay'>,
): Destination {
  if (direction === 'OUTBOUND' && relay !== 'keep') return 'relay'
  return spam ? 'junk' : 'inbox'
}

function partsOf(address: string): { readonly local: string; readonly domain: string } {
  const at = address.lastIndexOf('@')
  return { local: address.slice(0, Math.max(at, 0)), domain: domainKey(address.slice(at + 1)) }
}
