/** The header block of a mail: what stands above the first empty line. Ends with a line's end, unless all of it is headers. */
export function headerBlock(raw: Buffer): Buffer {
  for (let from = 0; from < raw.length; ) {
    const end = lineEnd(raw, from)
    const empty =
      end - from === 1 ? raw[from] === lf : end - from === 2 && raw[from] === cr && raw[from + 1] === lf
    if (empty) return raw.subarray(0, from)
    from = end
  }
  return raw
}

/** Each header of a block with its continuation lines and the line's end, in order. */
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

/** The name of a header in lower case, '' for a line that is none. */
export function headerName(header: Buffer): string {
  const colon = header.subarray(0, nameLimit).indexOf(0x3a)
  return colon < 0 ? '' : header.toString('latin1', 0, colon).trimEnd().toLowerCase()
}

/** How many servers say that they had the mail in hand. */
export function hops(block: Buffer): number {
  let count = 0
  for (const header of headers(block)) if (headerName(header) === 'received') count++
  return count
}

/** Longer names are nothing that is looked for. */
const nameLimit = 80
const [lf, cr, space, tab] = [0x0a, 0x0d, 0x20, 0x09]

/** Where the line that starts at `from` is over, its line feed included. */
function lineEnd(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(lf, from)
  return at < 0 ? bytes.length : at + 1
}
