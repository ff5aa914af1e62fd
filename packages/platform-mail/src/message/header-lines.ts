/** Bytes of a head that are looked at. Trace lines stand above everything else. */
const headLimit = 1024 * 1024

/** The head of a mail: what stands above the first empty line, and within the first megabyte. */
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
  for (const header of headers(block)) {
    // Most headers are something else, which their first letter tells.
    if ((header[0]! | 0x20) === letterR && headerName(header) === 'received') count++
  }
  return count
}

/** Longer names are nothing that is looked for. */
const nameLimit = 80
const [lf, cr, space, tab, letterR] = [0x0a, 0x0d, 0x20, 0x09, 0x72]

/** Where the line that starts at `from` is over, its line feed included. */
function lineEnd(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(lf, from)
  return at < 0 ? bytes.length : at + 1
}
