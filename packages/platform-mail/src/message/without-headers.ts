import { headerBlock, headerName, headers } from './header-lines.ts'

/** Returns whether to remove a header, by its name in lower case and its bytes. */
type IsUnwanted = (name: string, header: Buffer) => boolean

/**
 * Removes the headers with the given names from a mail, and those for which a function returns true. The names are in
 * lower case.
 */
export function withoutHeaders(raw: Buffer, names: readonly string[], isUnwanted?: IsUnwanted): Buffer {
  const block = headerBlock(raw)
  const kept = blockWithout(block, names, isUnwanted)
  return kept.length === block.length ? raw : Buffer.concat([kept, raw.subarray(block.length)])
}

/**
 * Removes the headers with the given names from a header block, and those for which a function returns true. The names are
 * in lower case.
 */
export function blockWithout(
  block: Buffer,
  names: readonly string[],
  isUnwanted: IsUnwanted = () => false,
): Buffer {
  const pieces: Buffer[] = []
  let [start, at] = [0, 0]
  for (const header of headers(block)) {
    const next = at + header.length
    const name = headerName(header)
    if (names.includes(name) || isUnwanted(name, header)) {
      pieces.push(block.subarray(start, at))
      start = next
    }
    at = next
  }
  return start === 0 && pieces.length === 0 ? block : Buffer.concat([...pieces, block.subarray(start)])
}
