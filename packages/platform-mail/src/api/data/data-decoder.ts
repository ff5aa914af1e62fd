/** Decodes the data of a mail (RFC 5321, 4.5.2), chunk by chunk. */
export interface DataDecoder {
  /** Decodes a chunk. `rest` is the data after the end of the mail, or undefined if the mail has not ended. */
  readonly feed: (chunk: Buffer) => { readonly content: Buffer; readonly rest: Buffer | undefined }
}

const dotLine = Buffer.from('\r\n.')
const [dot, cr, lf] = [0x2e, 0x0d, 0x0a]

/**
 * Decodes the data of one mail. Only a single dot between two CRLF sequences ends the data. A bare line feed or
 * carriage return does not end a line, so that every server sees the same end of the mail. This prevents SMTP
 * smuggling. The first dot of a line is removed. All other bytes stay unchanged.
 */
export function dataDecoder(): DataDecoder {
  // The data begins at the start of a line.
  let atLineStart = true
  let incomplete: Buffer = Buffer.alloc(0)

  return {
    feed(chunk) {
      const bytes = incomplete.length === 0 ? chunk : Buffer.concat([incomplete, chunk])
      incomplete = Buffer.alloc(0)
      // All pieces share one buffer, because a mail that consists only of dots has very many pieces.
      const content = Buffer.allocUnsafe(bytes.length)
      let length = 0
      const keep = (start: number, end: number) => {
        length += bytes.copy(content, length, start, end)
      }
      const answer = (rest?: Buffer) => ({ content: content.subarray(0, length), rest })
      let from = 0
      for (;;) {
        const at = atLineStart && bytes[from] === dot ? from : startOfDotLine(bytes, from)
        if (at < 0) break
        const [second, third] = [bytes[at + 1], bytes[at + 2]]
        if (second === cr && third === lf) {
          keep(from, at)
          return answer(bytes.subarray(at + 3))
        }
        if (second === undefined || (second === cr && third === undefined)) {
          keep(from, at)
          incomplete = Buffer.from(bytes.subarray(at))
          atLineStart = true
          return answer()
        }
        keep(from, at)
        from = at + 1
        atLineStart = false
      }
      const end = bytes.length - unfinished(bytes, from)
      if (end > from) {
        keep(from, end)
        atLineStart = false
      }
      incomplete = Buffer.from(bytes.subarray(end))
      return answer()
    },
  }
}

function startOfDotLine(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(dotLine, from)
  return at < 0 ? at : at + 2
}

/** Returns how many of the last bytes could be the beginning of a CRLF that is followed by a dot. */
function unfinished(bytes: Buffer, from: number): number {
  const { length } = bytes
  if (length - from >= 2 && bytes[length - 2] === cr && bytes[length - 1] === lf) return 2
  return length - from >= 1 && bytes[length - 1] === cr ? 1 : 0
}
