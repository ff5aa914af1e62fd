import { headerBlock, headerName, headers } from './header-lines.ts'
import { withoutHeaders } from './without-headers.ts'

/** The header with which mail filters tell the next server that a mail is spam. Its name is in lower case. */
export const spamFlag = 'x-spam-flag'

/** A spam flag in the head of a mail. */
export interface SpamFlag {
  /** The position among all headers, from 0. */
  readonly position: number
  /** The name as it is written. */
  readonly name: string
  readonly isSet: boolean
}

/** Returns a mail with a spam flag, or without one, so that the next server files it in the junk folder or not. */
export function withSpamFlag(raw: Buffer, isSpam: boolean): Buffer {
  const plain = withoutHeaders(raw, [spamFlag])
  return isSpam ? Buffer.concat([Buffer.from('X-Spam-Flag: YES\r\n'), plain]) : plain
}

/** Returns the spam flags of a mail. */
export function spamFlagsOf(raw: Buffer): readonly SpamFlag[] {
  const found: SpamFlag[] = []
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

/** Returns the number of spam flags, and whether one of them says yes. */
export function flagSummary(raw: Buffer): { readonly count: number; readonly isSet: boolean } {
  const flags = spamFlagsOf(raw)
  return { count: flags.length, isSet: flags.some(({ isSet }) => isSet) }
}
