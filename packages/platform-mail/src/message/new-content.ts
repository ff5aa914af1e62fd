import { decodeWords } from 'postal-mime'
import { bodyWithoutEmptyLine, headerBlock, headerName, headers } from './header-lines.ts'
import { hasLongLine, withWholeLines } from './line-limit.ts'

/** The headers that a function must leave as they are: who wrote the mail, which mail it is, and how it came here. */
const fixed = new Set([
  ...['from', 'sender', 'date', 'message-id', 'received', 'authentication-results'],
  ...['return-path', 'delivered-to', 'resent-from', 'resent-sender'],
])

/** The headers that a mail has at most once (RFC 5322, 3.6, and RFC 2045). */
const unique = new Set([
  ...['from', 'sender', 'reply-to', 'to', 'cc', 'bcc', 'message-id', 'in-reply-to', 'references', 'subject'],
  ...['date', 'mime-version', 'content-type', 'content-transfer-encoding'],
])

/**
 * Checks the content that a function puts in the place of a mail's. Returns it with CRLF as line ends, or the reason why it
 * is refused, as a sentence.
 * @param limit the maximum number of bytes
 */
export function newContent(content: Buffer, before: Buffer, limit: number): Buffer | string {
  const raw = withWholeLines(content)
  if (raw.length > limit) return `The content has ${raw.length} bytes, and a mail at most ${limit}.`
  const head = headerBlock(raw)
  if (head.length === 0 || head.length === raw.length || bodyWithoutEmptyLine(head) !== undefined)
    return 'The content is not a mail: it must begin with headers, and an empty line must follow them.'
  const [old, own] = [valuesByName(headerBlock(before)), valuesByName(head)]
  for (const name of fixed) {
    const [was, is] = [old.get(name) ?? [], own.get(name) ?? []]
    if (was.length !== is.length || was.some((value, at) => value !== is[at]))
      return `The header ${name} must stay as it was.`
  }
  for (const [name, values] of own)
    if (unique.has(name) && values.length > Math.max(1, old.get(name)?.length ?? 0))
      return `The header ${name} must occur once.`
  if (hasLongLine(raw) && !hasLongLine(before)) return 'The content has a line of more than 998 bytes.'
  return raw
}

/**
 * Returns the values of the headers by name, in order. Programs fold and encode the same value in different ways, so a value
 * is compared without folds and with decoded words. Values that are not compared are empty.
 */
function valuesByName(head: Buffer): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const header of headers(head)) {
    const name = headerName(header)
    const value = fixed.has(name) ? comparedValue(header) : ''
    const values = found.get(name)
    if (values === undefined) found.set(name, [value])
    else values.push(value)
  }
  return found
}

function comparedValue(header: Buffer): string {
  const text = header.toString('latin1', header.indexOf(':') + 1)
  return decodeWords(text.replace(/[\r\n]+/g, ''))
    .replace(/\s+/g, ' ')
    .trim()
}
