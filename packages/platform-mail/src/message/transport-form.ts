import { isAscii, isUtf8 } from 'node:buffer'
import { encodedBody } from './encoded-body.ts'
import type { EntityHead } from './entity-head.ts'
import { folded, hasLongLine, hasWholeLines, withWholeLines } from './line-limit.ts'
import { MalformedMime, type MimeSpan, mimeSpans } from './mime-spans.ts'
import { blockWithout } from './without-headers.ts'

/** The extensions of a server. Without them it accepts only short ASCII lines. */
export interface Capabilities {
  /** Whether the server offers 8BITMIME (RFC 6152). */
  readonly eightBit: boolean
  /** Whether the server offers SMTPUTF8 (RFC 6531). */
  readonly utf8: boolean
}

/** A mail in a form that a server accepts. */
export interface TransportForm {
  readonly raw: Buffer
  /** Whether headers of the mail or of its parts have bytes beyond ASCII. */
  readonly eightBitHeaders: boolean
}

/**
 * Converts a mail for a server. Parts with non-ASCII text are encoded for a server without 8BITMIME, and parts
 * with lines above 998 bytes for any server. Headers are folded, but their bytes stay as they are. Other parts stay
 * unchanged. As with Postfix, every mail has a form: a signed part that the server cannot take loses its signature rather
 * than its recipient, and of a part or a mail that cannot be encoded, only the long lines are folded.
 */
export function transportForm(mail: Buffer, capabilities: Capabilities): TransportForm {
  const raw = withWholeLines(mail)
  if (isSendable(raw, false)) return { raw, eightBitHeaders: false }
  const pieces: Buffer[] = []
  let eightBitHeaders = false
  try {
    for (const span of mimeSpans(raw)) {
      if ('head' in span && !isAscii(span.head.block)) eightBitHeaders = true
      pieces.push(...sendable(span, capabilities.eightBit))
    }
  } catch (error) {
    if (!(error instanceof MalformedMime)) throw error
    return { raw: folded(raw), eightBitHeaders }
  }
  return { raw: Buffer.concat(pieces), eightBitHeaders }
}

/**
 * Returns the transport form of a mail that every server accepts unchanged. Returns undefined for other mails. This
 * check is quick.
 */
export function plainForm(mail: Buffer): TransportForm | undefined {
  return isSendable(mail, false) && hasWholeLines(mail) ? { raw: mail, eightBitHeaders: false } : undefined
}

/** Returns whether bytes need no conversion for a server. */
function isSendable(bytes: Buffer, eightBit: boolean): boolean {
  return (eightBit || isAscii(bytes)) && !hasLongLine(bytes)
}

/** Returns a span in a form that the server accepts. */
function sendable(span: MimeSpan, eightBit: boolean): readonly Buffer[] {
  // White space after a boundary has no meaning, and can be long.
  if (span.kind === 'delimiter')
    return hasLongLine(span.bytes)
      ? [Buffer.from(`${span.bytes.toString('latin1').trimEnd()}\r\n`)]
      : [span.bytes]
  if (span.kind === 'unseen') {
    if (isSendable(span.bytes, eightBit)) return [span.bytes]
    return [folded(eightBit ? span.bytes : asAscii(span.bytes))]
  }
  const { head, emptyLine, isSigned } = span
  const body = span.kind === 'part' ? span.body : Buffer.alloc(0)
  const { block } = head
  // A signature is only valid for the same bytes (RFC 1847, 2.1).
  if (isSigned && !hasLongLine(block) && isSendable(body, eightBit)) return [block, emptyLine, body]
  if (isSendable(body, eightBit)) {
    const isWrong = !eightBit && emptyLine.length > 0 && ['8bit', 'binary'].includes(head.encoding)
    return [folded(isWrong ? labelled(head, '7bit') : block), emptyLine, body]
  }
  const encoded = encodedBody(head, body)
  if (encoded === undefined) return [folded(block), emptyLine, folded(body)]
  const added = [
    ...(span.isMessage && !head.hasMimeVersion ? ['MIME-Version: 1.0\r\n'] : []),
    ...(head.type === undefined ? [`Content-Type: text/plain; charset=${charsetOf(body)}\r\n`] : []),
  ]
  const labels = Buffer.from(added.join(''))
  return [folded(labelled(head, encoded.encoding)), labels, emptyLine, encoded.body]
}

/** Replaces the Content-Transfer-Encoding of a head. */
function labelled({ block }: EntityHead, encoding: string): Buffer {
  const label = Buffer.from(`Content-Transfer-Encoding: ${encoding}\r\n`)
  return Buffer.concat([blockWithout(block, ['content-transfer-encoding']), label])
}

/** Returns the charset for text that declares no charset. RFC 1428 defines a name for unknown charsets. */
function charsetOf(body: Buffer): string {
  return isAscii(body) ? 'us-ascii' : isUtf8(body) ? 'utf-8' : 'unknown-8bit'
}

function asAscii(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(/[\x80-\xff]/g, '?'), 'latin1')
}
