import { isAscii, isUtf8 } from 'node:buffer'
import { encodedBody } from './encoded-body.ts'
import type { EntityHead } from './entity-head.ts'
import { folded, hasLongLine, hasWholeLines, withWholeLines } from './line-limit.ts'
import { MalformedMime, type MimeSpan, mimeSpans } from './mime-spans.ts'
import { blockWithout } from './without-headers.ts'

/** What a server takes beyond short lines of ASCII. */
export interface Capabilities {
  /** 8BITMIME: RFC 6152. */
  readonly eightBit: boolean
  /** SMTPUTF8: RFC 6531. */
  readonly utf8: boolean
}

/** A mail in the form in which a server takes it. */
export interface TransportForm {
  readonly raw: Buffer
  /** Its headers need SMTPUTF8. */
  readonly utf8Headers: boolean
}

/** Why there is no such form, as a reply of SMTP. */
export interface NoTransportForm {
  readonly refusal: string
}

const headersBeyondAscii = '554 5.6.9 The mail has headers beyond ASCII, which the relay does not take'

/**
 * Converts a mail for a server: text beyond ASCII is encoded for one without 8BITMIME, part by part, and lines above 998
 * bytes are for any. Headers are folded. What the server takes as it is stays as it is, and what is signed is never
 * changed (RFC 1847, 2.1).
 */
export function transportForm(mail: Buffer, capabilities: Capabilities): TransportForm | NoTransportForm {
  const raw = withWholeLines(mail)
  if (isSendable(raw, false)) return { raw, utf8Headers: false }
  const pieces: Buffer[] = []
  let utf8Headers = false
  try {
    for (const span of mimeSpans(raw)) {
      if ('head' in span && !isAscii(span.head.block)) utf8Headers = true
      if (utf8Headers && !capabilities.utf8) return { refusal: headersBeyondAscii }
      pieces.push(...sendable(span, capabilities.eightBit))
    }
  } catch (error) {
    if (!(error instanceof MalformedMime)) throw error
    return { refusal: `554 5.6.3 The mail cannot be converted for the relay: ${error.message}` }
  }
  return { raw: Buffer.concat(pieces), utf8Headers }
}

/** The form of a mail that every server takes as it is; undefined for others. Takes little time. */
export function plainForm(mail: Buffer): TransportForm | undefined {
  return isSendable(mail, false) && hasWholeLines(mail) ? { raw: mail, utf8Headers: false } : undefined
}

/** Whether bytes can go to a server as they are. */
function isSendable(bytes: Buffer, eightBit: boolean): boolean {
  return (eightBit || isAscii(bytes)) && !hasLongLine(bytes)
}

/** A span as the server takes it. */
function sendable(span: MimeSpan, eightBit: boolean): readonly Buffer[] {
  // White space behind a boundary means nothing, and may be long.
  if (span.kind === 'delimiter')
    return hasLongLine(span.bytes)
      ? [Buffer.from(`${span.bytes.toString('latin1').trimEnd()}\r\n`)]
      : [span.bytes]
  if (span.kind === 'unseen') {
    if (isSendable(span.bytes, eightBit)) return [span.bytes]
    if (span.isSigned) throw new MalformedMime(isSealed)
    return [folded(eightBit ? span.bytes : asAscii(span.bytes))]
  }
  const { head, emptyLine, isSigned } = span
  const body = span.kind === 'part' ? span.body : Buffer.alloc(0)
  const { block } = head
  if (isSigned) {
    if (hasLongLine(block) || !isSendable(body, eightBit)) throw new MalformedMime(isSealed)
    return [block, emptyLine, body]
  }
  if (isSendable(body, eightBit)) {
    const isWrong = !eightBit && emptyLine.length > 0 && ['8bit', 'binary'].includes(head.encoding)
    return [folded(isWrong ? labelled(head, '7bit') : block), emptyLine, body]
  }
  const encoded = encodedBody(head, body)
  if (encoded === undefined) throw new MalformedMime(`a part of type ${head.type} cannot be encoded`)
  const added = [
    ...(span.isMessage && !head.hasMimeVersion ? ['MIME-Version: 1.0\r\n'] : []),
    ...(head.type === undefined ? [`Content-Type: text/plain; charset=${charsetOf(body)}\r\n`] : []),
  ]
  const labels = Buffer.from(added.join(''))
  return [folded(labelled(head, encoded.encoding)), labels, emptyLine, encoded.body]
}

const isSealed = 'what would have to be converted is signed'

/** The headers with another Content-Transfer-Encoding. */
function labelled({ block }: EntityHead, encoding: string): Buffer {
  const label = Buffer.from(`Content-Transfer-Encoding: ${encoding}\r\n`)
  return Buffer.concat([blockWithout(block, ['content-transfer-encoding']), label])
}

/** A charset for a text that names none: RFC 1428 has one for those of which nothing is known. */
function charsetOf(body: Buffer): string {
  return isAscii(body) ? 'us-ascii' : isUtf8(body) ? 'utf-8' : 'unknown-8bit'
}

function asAscii(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(/[\x80-\xff]/g, '?'), 'latin1')
}
