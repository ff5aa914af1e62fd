import { isAddress } from '@signalbox/mail-flow/contract'
import addressparser from 'nodemailer/lib/addressparser'
import { headerBlock, headerName, headers } from './header-lines.ts'

/** The maximum number of bytes that are read from a head, and from one header in it. */
const [headLimit, headerLimit] = [512 * 1024, 64 * 1024]

/**
 * The headers that name the senders of a mail (RFC 5322, 3.6.2 and 3.6.6), and whether each header may occur several
 * times.
 */
const originators: ReadonlyMap<string, { readonly name: string; readonly several: boolean }> = new Map([
  ['from', { name: 'From', several: false }],
  ['sender', { name: 'Sender', several: false }],
  ['resent-from', { name: 'Resent-From', several: true }],
  ['resent-sender', { name: 'Resent-Sender', several: true }],
])

/** An address in a header that says who sent the mail. */
export interface Originator {
  readonly header: string
  readonly address: string
}

/**
 * Returns the addresses in the headers that say who sent a mail. If mail programs could read one of these headers in
 * different ways, a check would be useless, so the name of that header is returned instead. Such a header is malformed,
 * too long, or repeated although only one is allowed, or has one address in angle brackets and another address outside
 * of them.
 */
export function originatorAddresses(raw: Buffer): readonly Originator[] | { readonly unclear: string } {
  const block = headerBlock(raw)
  // The rest of the head, which is not read, might contain another From header.
  if (block.length > headLimit) return { unclear: 'From' }
  const found: Originator[] = []
  const seen = new Set<string>()
  for (const header of headers(block)) {
    const originator = originators.get(headerName(header).trimStart())
    if (originator === undefined) continue
    const { name, several } = originator
    const addresses = seen.has(name) && !several ? undefined : addressesOf(header)
    if (addresses === undefined) return { unclear: name }
    seen.add(name)
    found.push(...addresses.map(address => ({ header: name, address })))
  }
  return found
}

/**
 * Returns the addresses in one header. Returns undefined for a header that mail programs could read in different ways.
 */
function addressesOf(header: Buffer): readonly string[] | undefined {
  if (header.length > headerLimit) return undefined
  const value = header.toString('utf8', header.indexOf(0x3a) + 1)
  // Some mail programs read a bare carriage return as a line end.
  if (/\r(?!\n)|\0|\ufffd/.test(value)) return undefined
  const text = value.replace(/\r?\n/g, '').trim()
  const found = isAddress(text)
    ? [text]
    : addressparser(text, { flatten: true }).map(({ address }) => address ?? '')
  if (found.length === 0 || !found.every(isAddress)) return undefined
  const named = new Set(found)
  return bareAddresses(text).every(each => named.has(each)) ? found : undefined
}

/**
 * Returns the strings outside of quotes and comments that look like addresses. The time is linear, because a search for a
 * closing quote or an `@` that is not there does not start again at each character.
 */
function bareAddresses(text: string): readonly string[] {
  const unquoted = text.replace(/"(?:[^"\\]|\\.)*("?)/g, (quoted, end) => (end === '' ? quoted : ' '))
  const bare = unquoted.replace(/\([^()]*\)/g, ' ')
  return bare.split(/[\s<>,;:"()]+/).filter(each => each.includes('@'))
}
