import { parseHeaderValue } from 'nodemailer/lib/mime-funcs'
import { headerName, headers } from './header-lines.ts'

/** The head of a mail or of one of its parts, as MIME reads it (RFC 2045). */
export interface EntityHead {
  readonly headers: readonly Buffer[]
  /** Such as `text/plain`; undefined when the head does not say. */
  readonly type: string | undefined
  /** What separates the parts of a multipart. */
  readonly boundary: string | undefined
  /** The Content-Transfer-Encoding, `7bit` when the head does not say. */
  readonly encoding: string
  readonly hasMimeVersion: boolean
}

/** Bytes of a header's value that are looked at. */
const valueLimit = 64 * 1024

/** Reads the head of an entity. Of two headers with the same name the first counts. */
export function entityHead(block: Buffer): EntityHead {
  const all = [...headers(block)]
  const first = (name: string) => {
    const header = all.find(each => headerName(each) === name)
    return header?.toString('latin1', header.indexOf(':') + 1, valueLimit).replace(/\r\n(?=[ \t])/g, '')
  }
  const parsed = parseHeaderValue(first('content-type')?.trim() ?? '', { stripComments: true })
  const encoding = parseHeaderValue(first('content-transfer-encoding')?.trim() ?? '', { stripComments: true })
  const type = parsed.value.toLowerCase()
  return {
    headers: all,
    type: type === '' ? undefined : type,
    boundary: parsed.params.boundary || undefined,
    encoding: encoding.value.toLowerCase() || '7bit',
    hasMimeVersion: first('mime-version') !== undefined,
  }
}

/** The headers of a head without those of some names, in one. */
export function headersWithout(all: readonly Buffer[], names: readonly string[]): Buffer {
  return Buffer.concat(all.filter(header => !names.includes(headerName(header))))
}
