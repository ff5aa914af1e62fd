import { headerBlock, headerName, headers } from './header-lines.ts'

/** Removes the headers with the given names from a mail. The names are in lower case. */
export function withoutHeaders(raw: Buffer, names: readonly string[]): Buffer {
  const block = headerBlock(raw)
  const kept = blockWithout(block, names)
  return kept.length === block.length ? raw : Buffer.concat([kept, raw.subarray(block.length)])
}

/** Removes the headers with the given names from a header block. The names are in lower case. */
export function blockWithout(block: Buffer, names: readonly string[]): Buffer {
  const pieces: Buffer[] = []
  let [start, at] = [0, 0]
  for (const header of headers(block)) {
    const next = at + header.length
    if (names.includes(headerName(header))) {
      pieces.push(block.subarray(start, at))
      start = next
    }
    at = next
  }
  return start === 0 && pieces.length === 0 ? block : Buffer.concat([...pieces, block.subarray(start)])
}
