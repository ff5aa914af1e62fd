import type { MailSettings } from './config/mail-settings.ts'
import { domainKey } from './domain-key.ts'
import type { Direction, Way } from './store/recipient-rows.ts'

/** Mail to the domains of the box comes in; all other goes out. */
export function directionOf(address: string, { mailboxes }: Pick<MailSettings, 'mailboxes'>): Direction {
  return mailboxes.has(partsOf(address).domain) ? 'INBOUND' : 'OUTBOUND'
}

/**
 * The name of a mailbox by the part of an address before the at sign. Mail for `Ann` is for `ann`: to others the two may
 * be different people, and whose mailbox it is decides about that alone (RFC 5321, 2.4). So is mail for `"ann"`.
 */
export function mailboxName(local: string): string {
  // Beyond ASCII it depends on the language what is a small letter of what.
  return withoutQuotes(local)
    .normalize('NFC')
    .replace(/[A-Z]/g, letter => letter.toLowerCase())
}

/** Quotes around what needs none mean nothing: RFC 5321, 4.1.2. */
function withoutQuotes(local: string): string {
  if (!/^".+"$/s.test(local)) return local
  const inside = local.slice(1, -1).replace(/\\(.)/gs, '$1')
  return /[\s\p{Cc}"<>()[\],;:\\@]/u.test(inside) ? local : inside
}

/** Whether the box has a mailbox of this address. It has one for the postmaster of each of its domains. */
export function hasMailbox(address: string, { mailboxes }: Pick<MailSettings, 'mailboxes'>): boolean {
  const { local, domain } = partsOf(address)
  const boxes = mailboxes.get(domain)
  const name = mailboxName(local)
  return boxes !== undefined && (boxes === '*' || boxes.has(name) || name === 'postmaster')
}

/** How a mail gets to someone, unless something else is decided: the contract's `DEFAULT`. */
export function usualWay(direction: Direction, spam: boolean, { relay }: Pick<MailSettings, 'relay'>): Way {
  if (direction === 'OUTBOUND' && relay !== 'keep') return 'relay'
  return spam ? 'junk' : 'inbox'
}

function partsOf(address: string): { readonly local: string; readonly domain: string } {
  const at = address.lastIndexOf('@')
  return { local: address.slice(0, Math.max(at, 0)), domain: domainKey(address.slice(at + 1)) }
}
