import { encode as base64, wrap as wrapBase64 } from 'nodemailer/lib/base64'
import { wrap as wrapQuoted } from 'nodemailer/lib/qp'
import type { EntityHead } from './entity-head.ts'
import { quotedPrintable } from './quoted-printable.ts'

/** A body with short ASCII lines, and its Content-Transfer-Encoding. */
export interface EncodedBody {
  readonly body: Buffer
  readonly encoding: 'quoted-printable' | 'base64'
}

/** The types that must not be encoded: RFC 2046, 5.2, and RFC 3464. */
const notEncodable = [
  'message/rfc822',
  'message/partial',
  'message/external-body',
  'message/delivery-status',
  'message/disposition-notification',
]

/** Encodes the body of a part that has no parts of its own. Returns undefined if that is impossible. */
export function encodedBody(
  { type = 'text/plain', encoding }: EntityHead,
  body: Buffer,
): EncodedBody | undefined {
  if (type.startsWith('multipart/') || notEncodable.includes(type)) return undefined
  // The body is declared as encoded, but some of its bytes are not encoded. Decoders ignore these bytes.
  if (encoding === 'quoted-printable') return { body: repairedQuoted(body), encoding }
  if (encoding === 'base64') return { body: repairedBase64(body), encoding }
  if (!['7bit', '8bit', 'binary'].includes(encoding)) return undefined
  const isText = /^(?:text|message)\//.test(type) && !body.includes(0)
  return isText
    ? { body: quotedPrintable(body), encoding: 'quoted-printable' }
    : { body: Buffer.from(wrapBase64(base64(body)), 'latin1'), encoding: 'base64' }
}

/**
 * The approximate size of the chunks that are repaired one by one, in bytes. As a string, a chunk takes several
 * times as much memory.
 */
const sliceSize = 64 * 1024

function repairedQuoted(body: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let from = 0; from < body.length; ) {
    const end = body.indexOf('\r\n', from + sliceSize)
    const next = end < 0 ? body.length : end + 2
    pieces.push(repairedLines(body.toString('latin1', from, next)))
    from = next
  }
  return Buffer.concat(pieces)
}

function repairedLines(text: string): Buffer {
  const ascii = text.replace(/[\x80-\xff]/g, byte => `=${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  const lines = ascii.split('\r\n').map(line => wrapQuoted(line))
  return Buffer.from(lines.join('\r\n'), 'latin1')
}

function repairedBase64(body: Buffer): Buffer {
  return Buffer.from(wrapBase64(body.toString('latin1').replace(/[^a-z\d+/=]+/gi, '')), 'latin1')
}
