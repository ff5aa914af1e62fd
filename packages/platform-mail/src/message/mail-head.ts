import { encodeWordBytes, isAddress } from '@signalbox/mail-flow/contract'
import addressparser from 'nodemailer/lib/addressparser'
import { decodeWords } from 'postal-mime'
import { headerBlock, headerName, headers } from './header-lines.ts'
import { spamFlag } from './spam-flag.ts'

/** The data that the platform reads from a mail's head. */
export interface MailHead {
  /** The address in the From header. Empty if the header is missing. */
  readonly sender: string
  /** The decoded subject. Empty if the mail has no Subject header. */
  readonly subject: string
  /** The number of servers that the mail has passed through. */
  readonly hops: number
  /** Whether an earlier filter marked the mail as spam. */
  readonly flaggedAsSpam: boolean
}

/** The maximum number of bytes that are read from a header. */
const headerLimit = 64 * 1024
const colon = 0x3a

/** Reads the head of a mail. Never throws. */
export function mailHead(raw: Buffer): MailHead {
  let [from, subject]: (Buffer | undefined)[] = []
  let hops = 0
  let flaggedAsSpam = false
  for (const header of headers(headerBlock(raw))) {
    const name = headerName(header)
    if (name === 'from') from ??= header
    else if (name === 'subject') subject ??= header
    else if (name === 'received') hops++
    else if (name === spamFlag && /:\s*yes\s*$/i.test(header.toString('latin1', 0, 80))) flaggedAsSpam = true
  }
  return {
    sender: senderIn(from),
    subject: subjectIn(subject),
    hops,
    flaggedAsSpam,
  }
}

function subjectIn(header: Buffer | undefined): string {
  const bytes = header?.subarray(header.indexOf(colon) + 1, headerLimit)
  const value = bytes === undefined ? '' : encodeWordBytes(bytes).toString()
  // Unfolding removes only the line end (RFC 5322, 2.2.3).
  const unfolded = value.replace(/[\r\n]+/g, end => (end.endsWith('\n') ? '' : ' '))
  return printable(decodeWords(unfolded))
}

/** Returns the first address of a From header (RFC 5322, 3.4). */
function senderIn(header: Buffer | undefined): string {
  const value = header?.toString('utf8', header.indexOf(colon) + 1, headerLimit).trim() ?? ''
  // A plain address skips the parser, which would treat a colon as the end of a group name.
  if (isSender(value)) return value
  const addresses = addressparser(value.replace(/[\r\n]+/g, ' '), { flatten: true })
  const first = addresses.find(({ address }) => address !== '')?.address ?? ''
  return isSender(first) ? first : ''
}

/** Returns whether a string is an address without encoded words (RFC 2047, 5), which some mail programs decode. */
function isSender(text: string): boolean {
  return isAddress(text) && !encodedWord.test(text)
}

const encodedWord = /=\?[^\s?=]+\?[bq]\?/i

/**
 * Replaces control characters and line ends. Encoded words can contain them, but a list of mails must not show them.
 */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
