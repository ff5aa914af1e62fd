import { bodyWithoutEmptyLine, headerBlock, headerName, headers } from './header-lines.ts'
import { hasLongLine, withWholeLines } from './line-limit.ts'

/**
 * The headers that a function must leave as they are: who wrote the mail, which mail it is, and how it came here. Other
 * programs may take a header whose name cannot be read here, because it is too long, for one of them.
 */
const fixed = new Set([
  '',
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
  if (!isFollowedByEmptyLine(head, raw) || bodyWithoutEmptyLine(head) !== undefined)
    return 'The content is not a mail: it must begin with headers of at most one megabyte, and an empty line must follow them.'
  const [old, own] = [valuesByName(headerBlock(before)), valuesByName(head)]
  for (const name of fixed) {
    const [was, is] = [old.get(name) ?? [], own.get(name) ?? []]
    if (was.length !== is.length || was.some((value, at) => value !== is[at]))
      return `${name === '' ? 'A header without a readable name' : `The header ${name}`} must stay as it was.`
  }
  for (const [name, values] of own)
    if (unique.has(name) && values.length > Math.max(1, old.get(name)?.length ?? 0))
      return `The header ${name} must occur once.`
  if (hasLongLine(raw) && !hasLongLine(before)) return 'The content has a line of more than 998 bytes.'
  return raw
}

/** Returns whether a head is whole, and not only the part of it that is read. */
function isFollowedByEmptyLine(head: Buffer, raw: Buffer): boolean {
  const end = raw.toString('latin1', head.length, head.length + lineEnd.length)
  return head.subarray(-lineEnd.length).toString('latin1') === lineEnd && end === lineEnd
}

const lineEnd = '\r\n'

/** Returns the values of the headers by name, in order. Values that are not compared are empty. */
function valuesByName(head: Buffer): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const header of headers(head)) {
    const name = headerName(header)
    const value = fixed.has(name) ? comparedValue(header, name) : ''
    const values = found.get(name)
    if (values === undefined) found.set(name, [value])
    else values.push(value)
  }
  return found
}

/**
 * Returns a value without folds. Programs fold the same value in different ways. Encoded words stay as they are, because
 * programs decode them in different ways, and addresses within them are none.
 */
function comparedValue(header: Buffer, name: string): string {
  const text = header.toString('latin1', name === '' ? 0 : header.indexOf(':') + 1)
  return text
    .replace(/[\r\n]+/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/^ | $/g, '')
}
