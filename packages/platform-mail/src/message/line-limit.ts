/** The maximum number of bytes of a line without its line end (RFC 5321, 4.5.3.1.6). */
const lineLimit = 998

const [lf, cr, space, tab] = [0x0a, 0x0d, 0x20, 0x09]
const lineEnd = Buffer.from('\r\n')
const fold = Buffer.from('\r\n ')

/** Returns whether each line ends with CRLF, without bare carriage returns or line feeds. */
export function hasWholeLines(raw: Buffer): boolean {
  return !/\r(?!\n)|(?<!\r)\n/.test(raw.toString('latin1'))
}

/** Returns the bytes with CRLF instead of each bare carriage return or line feed. */
export function withWholeLines(raw: Buffer): Buffer {
  let bare = 0
  for (let at = 0; at < raw.length; at++) if (isBare(raw, at)) bare++
  if (bare === 0) return raw
  // A loop over bytes takes the same time for every mail. String methods are slow for a mail of empty lines.
  const whole = Buffer.allocUnsafe(raw.length + bare)
  let length = 0
  for (let at = 0; at < raw.length; at++) {
    if (isBare(raw, at)) {
      whole[length++] = cr
      whole[length++] = lf
    } else whole[length++] = raw[at]!
  }
  return whole
}

/** Returns whether there is a carriage return without a line feed, or the reverse, at a position. */
function isBare(raw: Buffer, at: number): boolean {
  if (raw[at] === lf) return raw[at - 1] !== cr
  return raw[at] === cr && raw[at + 1] !== lf
}

/** Returns whether a line is longer than servers have to accept. */
export function hasLongLine(bytes: Buffer): boolean {
  // All lines that end within the next 1000 bytes are short enough.
  for (let from = 0; bytes.length - from > lineLimit; ) {
    const end = bytes.subarray(from, from + lineLimit + lineEnd.length).lastIndexOf(lf)
    if (end < 0) return true
    from += end + 1
  }
  return false
}

/** Folds long lines at white space (RFC 5322, 2.2.3), or anywhere in lines without white space. */
export function folded(text: Buffer): Buffer {
  if (!hasLongLine(text)) return text
  const pieces: Buffer[] = []
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf(lineEnd, from)
    const over = end < 0 ? text.length : end
    for (let width = lineLimit; over - from > width; width = lineLimit - 1) {
      const at = foldingPoint(text, from, width)
      pieces.push(text.subarray(from, at), fold)
      from = isWhite(text[at]!) ? at + 1 : at
    }
    const next = Math.min(over + lineEnd.length, text.length)
    pieces.push(text.subarray(from, next))
    from = next
  }
  return Buffer.concat(pieces)
}

/** Returns the position at which to fold the line that starts at `from`, so that it has at most `width` bytes. */
function foldingPoint(text: Buffer, from: number, width: number): number {
  for (let at = from + width; at > from; at--) if (isWhite(text[at]!) && !isWhite(text[at - 1]!)) return at
  let at = from + width
  // A fold does not split a UTF-8 character.
  for (let back = 0; back < 3 && (text[at]! & 0xc0) === 0x80; back++) at--
  return at
}

function isWhite(byte: number): boolean {
  return byte === space || byte === tab
}
