import { headerBlock, headerName, headers } from '../message/header-lines.ts'
import { isAscii } from '../message/is-ascii.ts'
import { spamFlag } from '../message/spam-flag.ts'
import { MalformedRequest } from './hook.ts'

/** A spam flag in the head of a mail. */
export interface StatedFlag {
  /** The position among all headers, from 0. */
  readonly position: number
  /** The name with the spelling of the mail. */
  readonly name: string
  readonly isSet: boolean
}

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

/** Returns the spam flags of a mail. */
export function statedFlags(raw: Buffer): readonly StatedFlag[] {
  const found: StatedFlag[] = []
  let position = -1
  for (const header of headers(headerBlock(raw))) {
    position++
    if (headerName(header) !== spamFlag) continue
    const text = header.toString('latin1', 0, 160)
    const colon = text.indexOf(':')
    const isSet =
      text
        .slice(colon + 1)
        .trim()
        .toLowerCase() === 'yes'
    found.push({ position, name: text.slice(0, colon).trimEnd(), isSet })
  }
  return found
}
