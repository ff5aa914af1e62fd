import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isPublicAddress } from '../fields/is-public-address.ts'

/**
 * Returns whether a request names this listener in its Host header, as `isOwnHost` does. Returns false for a request
 * with several Host headers, because servers differ in which of them they use.
 */
export function hasOwnHost(
  { headersDistinct: { host: sent = [] } }: Pick<IncomingMessage, 'headersDistinct'>,
  host: string,
  names?: readonly string[],
): boolean {
  return sent.length === 1 && isOwnHost(sent[0]!, host, names)
}

/**
 * Returns whether a Host header names this listener. A web page whose domain resolves to this machine (DNS rebinding)
 * sends that domain. It cannot send an address or a name that is not in public DNS.
 * @param header the value of the Host header, or an empty string
 * @param host the configured host of the listener
 * @param names further names of the listener
 */
export function isOwnHost(header: string, host: string, names: readonly string[] = []): boolean {
  const name = /^(\[[\da-f:.]+\]|[^[\]:/?#@\\\s,]+)(?::\d{1,5})?$/i.exec(header)?.[1]?.toLowerCase()
  if (name === undefined) return false
  const bare = name.replace(/^\[(.*)\]$/, '$1')
  if (isOwnAddress(bare) || bare === host.toLowerCase()) return true
  if (names.some(each => each.toLowerCase().replace(/^\[(.*)\]$/, '$1') === bare)) return true
  // A listener that other machines can reach may have names and addresses that are not configured, such as those of a
  // container.
  return !isOwnAddress(host.toLowerCase()) && (isIP(bare) !== 0 || isPrivateName(bare))
}

/** Returns whether a name, or an address without brackets, always means this machine. */
export function isOwnAddress(name: string): boolean {
  return /^(?:.+\.)?localhost$|^::1$|^127(?:\.\d{1,3}){3}$/.test(name)
}

/** Returns whether a name, or an address without brackets, can be one of the public internet. */
export function isPublicHost(name: string): boolean {
  if (isIP(name) !== 0) return isPublicAddress(name)
  return !isOwnAddress(name) && !isPrivateName(name)
}

/** Returns whether a name cannot be in public DNS, because it has no dot or a private ending. */
function isPrivateName(name: string): boolean {
  return !name.includes('.') || /\.(?:internal|local|home\.arpa)$/.test(name)
}
