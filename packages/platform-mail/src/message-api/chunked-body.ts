import { timingSafeEqual } from 'node:crypto'
import type { ApiClient } from './api-client.ts'
import { RefusedRequest } from './api-error.ts'

/** A body of S3 clients in its decoded form. */
export interface DecodedBody {
  readonly bytes: Buffer
  /** The headers after the last chunk, with names in lower case. */
  readonly trailers: ReadonlyMap<string, string>
}

/** The chunks of a body that are signed, each with a reference to the one before it. */
export interface ChunkSignatures
  extends Pick<NonNullable<ApiClient['signed']>, 'signature' | 'chunkSignature'> {
  /** Whether the trailer is signed, too. */
  readonly withTrailer: boolean
}

const lineEnd = '\r\n'
/** The maximum number of bytes of the line before a chunk, and of all lines of a trailer. */
const lineLimit = 1024
/** Clients send chunks of at least 8 KB, except for the last ones. Each chunk takes time that its bytes do not. */
const chunkSize = 8 * 1024
/** The number of smaller chunks that a body may have. */
const smallChunks = 128

/**
 * Decodes a body with the content coding `aws-chunked`.
 * @param signed checks the signatures of the chunks. Undefined for chunks that are not signed, or need not be
 * @throws RefusedRequest for a body that is malformed or not complete, and for a wrong signature
 */
export function decodeChunks(body: Buffer, signed: ChunkSignatures | undefined): DecodedBody {
  const bytes = Buffer.allocUnsafe(body.length)
  const maxChunks = smallChunks + body.length / chunkSize
  let length = 0
  let chunks = 0
  let previous = signed?.signature ?? ''
  let at = 0

  const line = (): string => {
    const end = body.subarray(at, at + lineLimit).indexOf(lineEnd)
    if (end < 0) throw incomplete()
    const text = body.toString('latin1', at, at + end)
    at += end + lineEnd.length
    return text
  }
  const check = (kind: 'PAYLOAD' | 'TRAILER', content: Uint8Array, signature = '') => {
    if (signed === undefined) return
    const expected = signed.chunkSignature(kind, previous, content)
    if (!isSame(expected, signature))
      throw new RefusedRequest(
        'SignatureDoesNotMatch',
        'The signature of a chunk does not match its content.',
      )
    previous = expected
  }

  for (;;) {
    const [, digits, signature] = /^([\da-f]{1,8})(?:;chunk-signature=([\da-f]{64}))?$/i.exec(line()) ?? []
    if (digits === undefined) throw malformed()
    const size = Number.parseInt(digits, 16)
    const piece = body.subarray(at, at + size)
    if (piece.length < size) throw incomplete()
    check('PAYLOAD', piece, signature)
    if (size === 0) break
    if (++chunks > maxChunks) throw malformed(`It has too many chunks of less than ${chunkSize} bytes.`)
    length += piece.copy(bytes, length)
    at += size
    if (line() !== '') throw malformed()
  }

  const trailers = new Map<string, string>()
  let signedTrailer = ''
  let signature: string | undefined
  const trailerEnd = at + lineLimit
  while (at < body.length) {
    const text = line()
    if (at > trailerEnd) throw malformed(`Its trailer has more than ${lineLimit} bytes.`)
    if (text === '') break
    const [, name, value = ''] = /^([^:\s]+):(.*)$/.exec(text) ?? []
    if (name === undefined) throw malformed()
    if (name.toLowerCase() === 'x-amz-trailer-signature') signature = value.trim()
    else {
      trailers.set(name.toLowerCase(), value.trim())
      signedTrailer += `${name.toLowerCase()}:${value.trim()}\n`
    }
  }
  if (at < body.length) throw malformed()
  if (signed?.withTrailer === true) check('TRAILER', Buffer.from(signedTrailer), signature)
  return { bytes: bytes.subarray(0, length), trailers }
}

function isSame(expected: string, signature: string): boolean {
  return (
    signature.length === expected.length && timingSafeEqual(Buffer.from(expected), Buffer.from(signature))
  )
}

function malformed(why = ''): RefusedRequest {
  return new RefusedRequest(
    'InvalidRequest',
    `The body is not in the content coding aws-chunked. ${why}`.trimEnd(),
  )
}

function incomplete(): RefusedRequest {
  return new RefusedRequest('IncompleteBody', 'The body ends before its last chunk.')
}
