import { parseHeaderValue } from 'nodemailer/lib/mime-funcs'
import { headerName, headers } from './header-lines.ts'

/** The head of a mail or of one of its parts, as MIME reads it (RFC 2045). */
export interface EntityHead {
  /** The header lines, unchanged. */
  readonly block: Buffer
  /** The type, such as `text/plain`. Undefined if there is no Content-Type. */
  readonly type: string | undefined
  /** The boundary between the parts of a multipart. */
  readonly boundary: string | undefined
  /** The Content-Transfer-Encoding. Default `7bit`. */
  readonly encoding: string
  readonly hasMimeVersion: boolean
}

/** The maximum number of bytes that are read from a header value. */
const valueLimit = 64 * 1024

const [letterC, letterM] = [0x63, 0x6d]

/** Reads the head of an entity. When several headers have the same name, the first one counts. */
export function entityHead(block: Buffer): EntityHead {
  const found = new Map<string, Buffer>()
  for (const header of headers(block)) {
    // Most headers are skipped because of their first letter, before their whole name is read.
    const letter = header[0]! | 0x20
    if (letter !== letterC && letter !== letterM) continue
    const name = headerName(header)
    if (!found.has(name)) found.set(name, header)
  }
  const value = (name: string) => {
    const header = found.get(name)
    const text = header?.toString('latin1', header.indexOf(':') + 1, valueLimit) ?? ''
    return parseHeaderValue(text.replace(/\r\n(?=[ \t])/g, '').trim(), { stripComments: true })
  }
  const { value: type, params } = value('content-type')
  return {
    block,
    type: type === '' ? undefined : type.toLowerCase(),
    boundary: params.boundary || undefined,
    encoding: value('content-transfer-encoding').value.toLowerCase() || '7bit',
    hasMimeVersion: found.has('mime-version'),
  }
}
