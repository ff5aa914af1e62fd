import { isAddress } from '@signalbox/mail-flow/contract'
import PostalMime, { type Email } from 'postal-mime'
import { headerBlock, headerName, headers } from './header-lines.ts'

/** What is told of a mail. */
export interface MailHead {
  /** The address in the From header; empty when there is none. */
  readonly sender: string
  /** The subject in plain words, however it was encoded; empty when there is none. */
  readonly subject: string
  /** How many servers had it in hand. */
  readonly hops: number
  /** Some filter before us says that it is spam. */
  readonly flaggedAsSpam: boolean
}

/** Bytes of a header that are looked at. */
const headerLimit = 64 * 1024
const colon = 0x3a

/** Reads the head of a mail, whatever bytes it consists of. */
export async function mailHead(raw: Buffer): Promise<MailHead> {
  let [from, subject]: (Buffer | undefined)[] = []
  let hops = 0
  let flaggedAsSpam = false
  for (const header of headers(headerBlock(raw))) {
    const name = headerName(header)
    if (name === 'from') from ??= header
    else if (name === 'subject') subject ??= header
    else if (name === 'received') hops++
    else if (name === 'x-spam-flag' && /:\s*yes\s*$/i.test(header.toString('latin1', 0, 80)))
      flaggedAsSpam = true
  }
  // One at a time, so that neither can say anything in place of the other.
  return {
    sender: await senderIn(from),
    subject: printable((await parsed(subject)).subject ?? ''),
    hops,
    flaggedAsSpam,
  }
}

async function parsed(header: Buffer | undefined): Promise<Pick<Email, 'from' | 'subject'>> {
  if (header === undefined) return {}
  try {
    return await PostalMime.parse(header.subarray(0, headerLimit))
  } catch {
    return {}
  }
}

async function senderIn(header: Buffer | undefined): Promise<string> {
  const bare = header?.toString('utf8', header.indexOf(colon) + 1, headerLimit).trim()
  // The parser takes what stands in quotes for a name, and colons for the end of one.
  if (bare !== undefined && isAddress(bare)) return printable(bare)
  const { from } = await parsed(header)
  const address = from?.address ?? from?.group?.[0]?.address ?? ''
  return printable(address)
}

/** Encoded words may hold line ends, which nobody who shows a line expects. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
