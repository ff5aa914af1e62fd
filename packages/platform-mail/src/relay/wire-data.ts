/** The chunk size of the conversion in bytes. */
const pieceSize = 64 * 1024

/**
 * Returns the content of a mail as it is sent after DATA (RFC 5321, 4.5.2), with CRLF as line ends, a second dot in
 * front of lines that start with a dot, and a line with a dot at the end. Bare carriage returns and line feeds become
 * line ends, so that every server sees the same end of the mail.
 */
export function* wireData(raw: Buffer): Generator<Buffer> {
  let isLineStart = true
  let endsWithReturn = false
  for (let at = 0; at < raw.length; at += pieceSize) {
    const piece = raw.toString('latin1', at, at + pieceSize)
    // The carriage return at the end of the last chunk has already become a line end.
    const own = endsWithReturn && piece.startsWith('\n') ? piece.slice(1) : piece
    endsWithReturn = piece.endsWith('\r')
    if (own === '') continue
    const text = own.replace(/\r\n?|\n/g, '\r\n').replace(/\n\./g, '\n..')
    yield Buffer.from(isLineStart && text.startsWith('.') ? `.${text}` : text, 'latin1')
    isLineStart = text.endsWith('\n')
  }
  yield Buffer.from(isLineStart ? '.\r\n' : '\r\n.\r\n')
}
