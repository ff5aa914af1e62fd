/** The maximum number of bytes that are read from a head. Trace lines are at the top of the head. */
const headLimit = 1024 * 1024

/** Returns the head of a mail, which is all lines before the first empty line, but at most one megabyte. */
export function headerBlock(raw: Buffer): Buffer {
  const bytes = raw.subarray(0, headLimit)
  for (let from = 0; from < bytes.length; ) {
    const end = lineEnd(bytes, from)
    const [first, second] = [bytes[from], bytes[from + 1]]
    if (first === lf || (first === cr && second === lf)) return bytes.subarray(0, from)
    from = end
  }
  return bytes
}

/** Returns the headers of a block in order, each with its continuation lines and line end. */
export function* headers(block: Buffer): Generator<Buffer> {
  let start = 0
  for (let from = 0; from < block.length; ) {
    const first = block[from]
    if (from > start && first !== space && first !== tab) {
      yield block.subarray(start, from)
      start = from
    }
    from = lineEnd(block, from)
  }
  if (start < block.length) yield block.subarray(start)
}

/** Returns the name of a header in lower case, or an empty string for a line that is not a header. */
export function headerName(header: Buffer): string {
  const end = header.subarray(0, nameLimit).indexOf(colon)
  return end < 0 ? '' : header.toString('latin1', 0, end).trimEnd().toLowerCase()
}

/** Returns the number of trace lines, which is the number of servers that a mail has passed through. */
export function hops(block: Buffer): number {
  let count = 0
  for (const header of headers(block)) {
    // Most headers are skipped because of their first letter, before their whole name is read.
    if ((header[0]! | 0x20) === letterR && headerName(header) === 'received') count++
  }
  return count
}

/**
 * Returns the position of the first line of a head that is not a header, where the body begins although no empty line
 * precedes it (RFC 5322, 2.1). Returns undefined for a head that has only headers.
 */
export function bodyWithoutEmptyLine(head: Buffer): number | undefined {
  for (let from = 0; from < head.length; ) {
    const isContinuation = from > 0 && (head[from] === space || head[from] === tab)
    if (!isContinuation && !startsHeader(head, from)) return from
    from = lineEnd(head, from)
  }
  return undefined
}

/** Returns whether a line begins with the name of a header and a colon. Old programs write a space between them. */
function startsHeader(bytes: Buffer, from: number): boolean {
  let at = from
  while (bytes[at]! > space && bytes[at]! < del && bytes[at] !== colon) at++
  if (at === from) return false
  while (bytes[at] === space || bytes[at] === tab) at++
  return bytes[at] === colon
}

/** The maximum length of a header name that the platform reads. */
const nameLimit = 80
const [lf, cr, space, tab, letterR, colon, del] = [0x0a, 0x0d, 0x20, 0x09, 0x72, 0x3a, 0x7f]

/** Returns the position after the line feed that ends the line at `from`. */
function lineEnd(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(lf, from)
  return at < 0 ? bytes.length : at + 1
}
