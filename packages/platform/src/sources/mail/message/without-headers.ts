import { headerBlock, headerName, headers } from './header-lines.ts'

/** A mail without the headers of some names, which are in lower case. */
export function withoutHeaders(raw: Buffer, names: readonly string[]): Buffer {
  const block = headerBlock(raw)
  const kept: Buffer[] = []
  for (const header of headers(block)) if (!names.includes(headerName(header))) kept.push(header)
  const head = Buffer.concat(kept)
  return head.length === block.length ? raw : Buffer.concat([head, raw.subarray(block.length)])
}
