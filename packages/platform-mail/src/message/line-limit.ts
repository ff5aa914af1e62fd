/** Bytes of a line without its end: RFC 5321, 4.5.3.1.6. */
const lineLimit = 998

const [lf, space, tab] = [0x0a, 0x20, 0x09]
const lineEnd = Buffer.from('\r\n')
const fold = Buffer.from('\r\n ')

/** Whether carriage returns and line feeds stand together only. */
export function hasWholeLines(raw: Buffer): boolean {
  return !/\r(?!\n)|(?<!\r)\n/.test(raw.toString('latin1'))
}

/** The same with every bare carriage return and line feed as a whole line end, as it goes over the wire. */
export function withWholeLines(raw: Buffer): Buffer {
  if (hasWholeLines(raw)) return raw
  return Buffer.from(raw.toString('latin1').replace(/\r\n?|\n/g, '\r\n'), 'latin1')
}

/** Whether a line is longer than servers have to take. */
export function hasLongLine(bytes: Buffer): boolean {
  // Lines that end within reach of the limit are short enough, and need not be looked at one by one.
  for (let from = 0; bytes.length - from > lineLimit; ) {
    const end = bytes.subarray(from, from + lineLimit + lineEnd.length).lastIndexOf(lf)
    if (end < 0) return true
    from += end + 1
  }
  return false
}

/** The same text with lines that are short enough: folded at white space, and elsewhere if there is none (RFC 5322, 2.2.3). */
export function folded(text: Buffer): Buffer {
  if (!hasLongLine(text)) return text
  const pieces: Buffer[] = []
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf(lineEnd, from)
    const over = end < 0 ? text.length : end
    for (let room = lineLimit; over - from > room; room = lineLimit - 1) {
      const at = foldingPoint(text, from, room)
      pieces.push(text.subarray(from, at), fold)
      from = isWhite(text[at]!) ? at + 1 : at
    }
    const next = Math.min(over + lineEnd.length, text.length)
    pieces.push(text.subarray(from, next))
    from = next
  }
  return Buffer.concat(pieces)
}

/** Where a line that starts at `from` can end within so many bytes. */
function foldingPoint(text: Buffer, from: number, room: number): number {
  for (let at = from + room; at > from; at--) if (isWhite(text[at]!) && !isWhite(text[at - 1]!)) return at
  let at = from + room
  // A character of UTF-8 stays whole.
  for (let back = 0; back < 3 && (text[at]! & 0xc0) === 0x80; back++) at--
  return at
}

function isWhite(byte: number): boolean {
  return byte === space || byte === tab
}
