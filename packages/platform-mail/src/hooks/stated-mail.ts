import { isAscii } from '../message/is-ascii.ts'
import { MalformedRequest } from './hook.ts'

/** The maximum number of characters of an address. Mail servers allow lines of 2048 bytes. */
const longestAddress = 2048

/**
 * Returns the address that a mail server states, with or without angle brackets.
 * @throws MalformedRequest if it is no address
 */
export function statedAddress(text: unknown, what: string): string {
  if (typeof text !== 'string') throw new MalformedRequest(`${what} is not a text.`)
  const address = (/^<(.*)>$/s.exec(text.trim())?.[1] ?? text).trim()
  if (address.length > longestAddress || /\p{Cc}/u.test(address))
    throw new MalformedRequest(`${what} is not an address.`)
  return address
}

/**
 * Returns the address of a recipient.
 * @throws MalformedRequest if it is empty, or no address
 */
export function statedRecipient(text: unknown, what: string): string {
  const address = statedAddress(text, what)
  if (address === '') throw new MalformedRequest(`${what} is empty.`)
  return address
}

/** Returns whether addresses need SMTPUTF8 (RFC 6531), so that replies to their client may have any script. */
export function needUtf8(addresses: readonly string[]): boolean {
  return !addresses.every(isAscii)
}
