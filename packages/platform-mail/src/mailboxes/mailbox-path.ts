import { createHash } from 'node:crypto'
import { join, sep } from 'node:path'
import { domainToUnicode } from 'node:url'
import { addressKey } from '@signalbox/mail-flow/contract'
import { domainKey } from '../domain-key.ts'
import { mailboxName } from '../mailbox-name.ts'

/** The maximum number of characters of a folder name. File systems allow 255 bytes. */
const nameLimit = 200

/**
 * Returns the folder of a mailbox, below `folder`. Two addresses have the same folder only when they have the same
 * mailbox.
 */
export function mailboxPath(folder: string, address: string): string {
  const key = addressKey(address)
  const at = key.lastIndexOf('@')
  const local = mailboxName(key.slice(0, Math.max(at, 0)))
  return join(folder, folderName(inUnicode(domainKey(key.slice(at + 1)))), folderName(local))
}

/** Returns the Unicode form of a domain. Clients use both the Unicode and the ASCII form. */
function inUnicode(domain: string): string {
  // The URL parser would also read escapes and slashes in text that is not a domain.
  const isInAscii = /^[a-z\d.-]+$/.test(domain) && /(?:^|\.)xn--/.test(domain)
  return isInAscii ? domainToUnicode(domain) || domain : domain
}

/**
 * Returns the address of a mailbox from the names of its two folders. Returns undefined if a name was so long that
 * it became a hash.
 */
export function addressOf(domain: string, local: string): string | undefined {
  if (domain.startsWith(hashed) || local.startsWith(hashed)) return undefined
  try {
    return `${decodeURIComponent(local)}@${decodeURIComponent(domain)}`
  } catch {
    return undefined
  }
}

/**
 * Returns the address of a mailbox from its path. Returns undefined if a name was so long that it became a hash.
 */
export function mailboxAddress(path: string): string | undefined {
  const [local = '', domain = ''] = path.split(sep).reverse()
  return addressOf(domain, local)
}

/**
 * Returns a name that is safe on every file system. It has no separators, no dot at the start, and no capital letters,
 * because some file systems ignore case.
 */
export function folderName(text: string): string {
  let name = ''
  for (const byte of Buffer.from(text)) {
    const char = String.fromCharCode(byte)
    const plain = /[a-z0-9_+=-]/.test(char) || (char === '.' && name !== '')
    name += plain ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  if (name === '') return hashed
  return name.length <= nameLimit ? name : hashed + createHash('sha256').update(text).digest('hex')
}

/** The prefix of hashed names. No encoded name begins with this prefix. */
const hashed = '%-'
