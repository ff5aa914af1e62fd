import { isAscii } from 'node:buffer'
import { type Delimiter, type OpenMultiparts, openMultiparts, startOfNext } from './delimiters.ts'
import { type EntityHead, entityHead } from './entity-head.ts'

/** A span of a mail. All spans in order make up the whole mail. */
export type MimeSpan = HeadSpan | PartSpan | DelimiterSpan | UnseenSpan

interface Entity {
  readonly head: EntityHead
  /** The empty line after the head, or no bytes if the head ends the entity. */
  readonly emptyLine: Buffer
  /** Whether the entity is a mail rather than a part of a mail. */
  readonly isMessage: boolean
  readonly isSigned: boolean
}

/** The head of a multipart, or of an attached mail. */
interface HeadSpan extends Entity {
  readonly kind: 'head'
}

/** An entity without parts, including its head. */
interface PartSpan extends Entity {
  readonly kind: 'part'
  readonly body: Buffer
}

interface DelimiterSpan {
  readonly kind: 'delimiter'
  readonly bytes: Buffer
}

/** Text before the first part or after the last part, which mail readers do not show. */
interface UnseenSpan {
  readonly kind: 'unseen'
  readonly bytes: Buffer
  readonly isSigned: boolean
}

/** The error for a mail whose parts cannot be separated. */
export class MalformedMime extends Error {}

/** The maximum number of bytes of a boundary. RFC 2046, 5.1.1, allows 70. */
const boundaryLimit = 900

/** The maximum number of parts of a mail. */
const partLimit = 10_000

/**
 * Splits a mail into the spans of its MIME structure (RFC 2046) in one pass, at any depth.
 *
 * @param raw with CRLF as line ends
 * @throws MalformedMime
 */
export function* mimeSpans(raw: Buffer): Generator<MimeSpan> {
  const multiparts = openMultiparts()
  /** The default type of the parts of each open multipart. */
  const partTypes: (string | undefined)[] = []
  /** The index of the outermost signed multipart that is open. */
  let signed = Number.POSITIVE_INFINITY
  let from = 0
  let isMessage = true

  for (let parts = 1; ; parts++) {
    if (parts > partLimit) throw new MalformedMime(`it has more than ${partLimit} parts`)
    const level = multiparts.level()
    const isSigned = level > signed
    const { headEnd, bodyStart } = endOfHead(raw, from, multiparts)
    const own = entityHead(raw.subarray(from, headEnd))
    const head: EntityHead = { ...own, type: own.type ?? (isMessage ? undefined : partTypes[level - 1]) }
    const entity = { head, emptyLine: raw.subarray(headEnd, bodyStart), isMessage, isSigned }
    const isOpen = ['7bit', '8bit', 'binary'].includes(head.encoding) && bodyStart > headEnd
    if (isOpen && head.type === 'message/rfc822') {
      yield { kind: 'head', ...entity }
      from = bodyStart
      isMessage = true
      continue
    }

    if (isOpen && head.type?.startsWith('multipart/') && head.boundary !== undefined) {
      if (head.boundary.length > boundaryLimit || !isAscii(Buffer.from(head.boundary)))
        throw new MalformedMime('a boundary between its parts is malformed')
      if (!multiparts.open(head.boundary)) throw new MalformedMime('two of its boundaries are the same')
      partTypes[level] = head.type === 'multipart/digest' ? 'message/rfc822' : undefined
      if (head.type === 'multipart/signed') signed = Math.min(signed, level)
      yield { kind: 'head', ...entity }
    }
    let next = multiparts.next(raw, bodyStart)
    const body = raw.subarray(bodyStart, endOfText(raw, bodyStart, next))
    if (multiparts.level() > level) yield { kind: 'unseen', bytes: body, isSigned }
    else yield { kind: 'part', ...entity, body }

    let text = bodyStart
    while (next !== undefined) {
      yield { kind: 'delimiter', bytes: raw.subarray(endOfText(raw, text, next), next.end) }
      multiparts.close(next.isLast ? next.level : next.level + 1)
      if (signed >= multiparts.level()) signed = Number.POSITIVE_INFINITY
      if (!next.isLast) break
      text = next.end
      next = multiparts.next(raw, text)
      const bytes = raw.subarray(text, endOfText(raw, text, next))
      yield { kind: 'unseen', bytes, isSigned: multiparts.level() > signed }
    }
    if (next === undefined) return
    from = next.end
    isMessage = false
  }
}

/** Returns the end of the text before a delimiter. The line end before a delimiter belongs to the delimiter. */
function endOfText(raw: Buffer, from: number, next: Delimiter | undefined): number {
  return next === undefined ? raw.length : Math.max(from, next.start - 2)
}

/** Returns where an entity's head ends and its body starts. A delimiter also ends a head that has no empty line. */
function endOfHead(raw: Buffer, from: number, multiparts: OpenMultiparts) {
  let at = from
  while (at < raw.length && multiparts.at(raw, at) === undefined) {
    if (raw[at] === 0x0d) return { headEnd: at, bodyStart: startOfNext(raw, at) }
    at = startOfNext(raw, at)
  }
  // The line end before a delimiter belongs to the delimiter.
  const headEnd = at < raw.length ? Math.max(from, at - 2) : at
  return { headEnd, bodyStart: headEnd }
}
