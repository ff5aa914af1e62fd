import { isAddress } from '@signalbox/mail-flow/contract'
import addressparser from 'nodemailer/lib/addressparser'
import { headerBlock, headerName, headers } from './header-lines.ts'

/** The maximum number of bytes of a head and of a From header that are read. */
const [headLimit, headerLimit] = [512 * 1024, 64 * 1024]

/**
 * Returns the addresses in the From header of a mail. Empty without such a header. Undefined for a header that
 * mail programs may read in different ways, so that checking it would be useless: several headers, a header that
 * is too long or malformed, or an address outside of angle brackets next to one inside.
 */
export function fromAddresses(raw: Buffer): readonly string[] | undefined {
  const block = headerBlock(raw)
  // The unread rest may contain another From header.
  if (block.length > headLimit) return undefined
  let from: Buffer | undefined
  for (const header of headers(block)) {
    const name = headerName(header).trimStart()
    if (name !== 'from') continue
    if (from !== undefined || header.length > headerLimit) return undefined
    from = header
  }
  if (from === undefined) return []
  const value = from.toString('utf8', from.indexOf(0x3a) + 1)
  // Some readers take a carriage return alone as the end of a line.
  if (/\r(?!\n)|\0|\ufffd/.test(value)) return undefined
  const text = value.replace(/\r?\n/g, '').trim()
  const found = isAddress(text)
    ? [text]
    : addressparser(text, { flatten: true }).map(({ address }) => address ?? '')
  if (found.length === 0 || !found.every(isAddress)) return undefined
  const named = new Set(found)
  return bareAddresses(text).every(each => named.has(each)) ? found : undefined
}

/** Returns the texts outside of quotes and comments that look like addresses. */
function bareAddresses(text: string): readonly string[] {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, ' ').replace(/\([^()]*\)/g, ' ')
  return bare.match(/[^\s<>,;:"()]*@[^\s<>,;:"()]*/g) ?? []
}
