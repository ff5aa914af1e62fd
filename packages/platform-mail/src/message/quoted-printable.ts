/** The maximum length of a line, including the soft line break (RFC 2045, 6.7). */
const lineLimit = 76

/** The chunk size of the encoder in bytes. Each byte can become three bytes. */
const sliceSize = 64 * 1024

const [tab, lf, cr, space, equals] = [0x09, 0x0a, 0x0d, 0x20, 0x3d]
const digits = Buffer.from('0123456789ABCDEF')

/**
 * Encodes bytes as quoted-printable text (RFC 2045, 6.7) with CRLF as line ends. In the input, both LF and CRLF end
 * a line, and a bare carriage return is encoded.
 */
export function quotedPrintable(bytes: Buffer): Buffer {
  const pieces: Buffer[] = []
  // Each line has a soft line break, and at least 25 bytes.
  const piece = Buffer.allocUnsafe(sliceSize * 4)
  let [length, column] = [0, 0]
  for (let at = 0; at < bytes.length; at++) {
    if (length > piece.length - 8) {
      pieces.push(Buffer.from(piece.subarray(0, length)))
      length = 0
    }
    const byte = bytes[at]!
    const next = bytes[at + 1]
    if (byte === lf || (byte === cr && next === lf)) {
      if (byte === cr) at++
      piece[length++] = cr
      piece[length++] = lf
      column = 0
      continue
    }
    const isAtEnd = next === undefined || next === lf || (next === cr && bytes[at + 2] === lf)
    const isWhite = byte === space || byte === tab
    const isPlain = isWhite ? !isAtEnd : byte > space && byte < 0x7f && byte !== equals
    const width = isPlain ? 1 : 3
    if (column + width > lineLimit - (isAtEnd ? 0 : 1)) {
      piece[length++] = equals
      piece[length++] = cr
      piece[length++] = lf
      column = 0
    }
    column += width
    if (isPlain) piece[length++] = byte
    else {
      piece[length++] = equals
      piece[length++] = digits[byte >> 4]!
      piece[length++] = digits[byte & 15]!
    }
  }
  pieces.push(piece.subarray(0, length))
  return Buffer.concat(pieces)
}
