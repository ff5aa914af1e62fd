import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { SignedBody } from '@signalbox/platform-runtime/signature'
import type { ApiClient } from './api-client.ts'
import { RefusedRequest } from './api-error.ts'
import { checksums } from './checksums.ts'
import { type DecodedBody, decodeChunks } from './chunked-body.ts'

const streaming = /^STREAMING-(AWS4-HMAC-SHA256|UNSIGNED)-PAYLOAD(-TRAILER)?$/

/** Returns what the signature of a request covers of its body. */
export function signedBody(headers: IncomingHttpHeaders, body: Buffer): SignedBody {
  const digest = String(headers['x-amz-content-sha256'] ?? '')
  return digest === 'UNSIGNED-PAYLOAD' || streaming.test(digest) ? digest : body
}

/**
 * Returns the content of an object in the body of a request.
 * @throws RefusedRequest for a content that is not what the client says about it
 */
export function objectContent(
  headers: IncomingHttpHeaders,
  body: Buffer,
  { signed }: Pick<ApiClient, 'signed'>,
): Buffer {
  const digest = String(headers['x-amz-content-sha256'] ?? '')
  const [form, kind, trailer] = streaming.exec(digest) ?? []
  const codings = String(headers['content-encoding'] ?? '').split(/\s*,\s*/)
  const isChunked = form !== undefined || codings.includes('aws-chunked')
  const signatures =
    kind === 'AWS4-HMAC-SHA256' && signed !== undefined
      ? { ...signed, withTrailer: trailer !== undefined }
      : undefined
  const { bytes, trailers }: DecodedBody = isChunked
    ? decodeChunks(body, signatures)
    : { bytes: body, trailers: new Map() }
  const announced = headers['x-amz-decoded-content-length']
  if (isChunked && announced !== undefined && Number(announced) !== bytes.length)
    throw new RefusedRequest(
      'IncompleteBody',
      'The body does not have the number of bytes in x-amz-decoded-content-length.',
    )
  if (
    /^[\da-f]{64}$/i.test(digest) &&
    digest.toLowerCase() !== createHash('sha256').update(bytes).digest('hex')
  )
    throw new RefusedRequest(
      'XAmzContentSHA256Mismatch',
      'The header x-amz-content-sha256 is not the digest of the body.',
    )
  const stated = new Map([
    ...Object.entries(headers).map(([name, value]) => [name, String(value)] as const),
    ...trailers,
  ])
  const awaited = String(headers['x-amz-trailer'] ?? '')
    .toLowerCase()
    .trim()
  if (awaited !== '' && !trailers.has(awaited))
    throw new RefusedRequest('InvalidRequest', `The trailer ${awaited} is missing.`)
  checkDigests(bytes, stated)
  return bytes
}

/** Compares the digests in headers and trailers with those of the content. */
function checkDigests(bytes: Buffer, stated: ReadonlyMap<string, string>): void {
  const md5 = stated.get('content-md5')
  if (md5 !== undefined && md5 !== createHash('md5').update(bytes).digest('base64'))
    throw badDigest('Content-MD5')
  for (const [name, value] of stated) {
    const [, algorithm] = /^x-amz-checksum-(.+)$/.exec(name) ?? []
    if (algorithm === undefined || algorithm === 'type' || algorithm === 'algorithm') continue
    const compute = Object.hasOwn(checksums, algorithm) ? checksums[algorithm] : undefined
    if (compute === undefined)
      throw new RefusedRequest(
        'InvalidRequest',
        `The checksum ${name} is unknown: use one of ${Object.keys(checksums).join(', ')}.`,
      )
    if (value !== compute(bytes)) throw badDigest(name)
  }
}

function badDigest(name: string): RefusedRequest {
  return new RefusedRequest('BadDigest', `${name} is not the digest of the content.`)
}
