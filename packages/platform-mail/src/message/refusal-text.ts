/** The maximum number of lines of a refusal, and of bytes of a line. A reply line has 512 bytes (RFC 5321, 4.5.3.1.5). */
const [linesLimit, lineLimit] = [10, 400]

/** The maximum number of characters of a function's text that are remembered or sent to anyone. */
const bounceTextLimit = 2000

/** Cuts the text of a function to the length at which it is used. */
export function cutBounceText(text: string): string {
  if (text.length <= bounceTextLimit) return text
  // A character of two code units is not cut in half.
  return `${text.slice(0, bounceTextLimit).replace(/[\ud800-\udbff]$/, '')}…`
}

/**
 * Returns a text as lines of an SMTP reply, without codes. Control characters are removed. Long lines are wrapped, and
 * lines after the tenth are omitted. There is always at least one line.
 * @param utf8 whether the client used SMTPUTF8. Otherwise non-ASCII characters are replaced (RFC 6531, 3.7.4)
 */
export function refusalLines(text: string, utf8: boolean): readonly string[] {
  const plain = text.slice(0, linesLimit * lineLimit).replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
  const safe = plain.toWellFormed().replace(/[^\P{Cc}\t\n]/gu, '')
  const lines = (
    utf8
      ? safe
      : safe
          .normalize('NFKD')
          .replace(/\p{M}/gu, '')
          .replace(/[^\t\n\x20-\x7e]/gu, '?')
  )
    .split('\n')
    .flatMap(line => wrapped(line.replace(/\s+/g, ' ').trim()))
    .filter(line => line !== '')
  return lines.length === 0 ? ['The mail was refused'] : lines.slice(0, linesLimit)
}

/** Splits a line at spaces, into parts of at most `lineLimit` bytes. */
function wrapped(line: string): readonly string[] {
  if (Buffer.byteLength(line) <= lineLimit) return [line]
  const parts: string[] = []
  let part = ''
  for (const word of line.split(' ').flatMap(pieces)) {
    const longer = part === '' ? word : `${part} ${word}`
    if (Buffer.byteLength(longer) <= lineLimit) part = longer
    else {
      parts.push(part)
      part = word
    }
  }
  return [...parts, part]
}

/** Splits a word that is longer than a line. */
function pieces(word: string): readonly string[] {
  if (Buffer.byteLength(word) <= lineLimit) return [word]
  const found: string[] = []
  let piece = ''
  for (const char of word) {
    if (Buffer.byteLength(piece + char) > lineLimit) {
      found.push(piece)
      piece = ''
    }
    piece += char
  }
  return [...found, piece]
}
