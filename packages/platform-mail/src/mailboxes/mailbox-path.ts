import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { domainToUnicode } from 'node:url'
import { addressKey } from '@signalbox/mail-flow/contract'
import { domainKey } from '../domain-key.ts'
import { mailboxName } from '../mailbox-name.ts'

/** Characters of a folder's name; file systems take 255 bytes. */
const nameLimit = 200

/** The folder of an address's mail, below `folder`. Two addresses share one only when they are of the same mailbox. */
export function mailboxPath(folder: string, address: string): string {
  const key = addressKey(address)
  const at = key.lastIndexOf('@')
  const local = mailboxName(key.slice(0, Math.max(at, 0)))
  return join(folder, folderName(inLetters(domainKey(key.slice(at + 1)))), folderName(local))
}

/** A domain in another script has two forms, of which clients say either. */
function inLetters(domain: string): string {
  // What is no domain would be read as a part of a URL, which has escapes and ends at a slash.
  const isInAscii = /^[a-z\d.-]+$/.test(domain) && /(?:^|\.)xn--/.test(domain)
  return isInAscii ? domainToUnicode(domain) || domain : domain
}

/** The address whose mail is in a folder; undefined when its name was too long to be told by the folder's. */
export function addressOf(domain: string, local: string): string | undefined {
  if (domain.startsWith(hashed) || local.startsWith(hashed)) return undefined
  try {
    return `${decodeURIComponent(local)}@${decodeURIComponent(domain)}`
  } catch {
    return undefined
  }
}

/**
 * A name that no file system reads as anything else: no separators, nothing that starts with a dot, and no capitals,
 * which some file systems take for small letters.
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

/** What no encoded name starts with. */
const hashed = '%-'
