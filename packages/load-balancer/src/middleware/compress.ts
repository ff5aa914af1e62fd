import { promisify } from 'node:util'
import { InvalidOptionError, refuseUnknownOptions } from '@signalbox/core'
import { mediaType } from '../contract/index.ts'
import { isWithoutContent } from '../contract/status.ts'
import { headerMap } from '../request/http-request.ts'
import { allHeaders } from '../request/values.ts'
import { type Reply, replyBytes } from '../response/reply.ts'
import { replyHeader, withHeaders, withVary } from '../response/reply-headers.ts'
import { type HttpMiddleware, httpMiddleware } from './http-middleware.ts'

/** What is worth compressing. */
export interface CompressOptions {
  /** Bytes below which a body goes out as it is. Default 1024. */
  readonly threshold?: number
}

// Brotli's default is meant for files that are compressed once and served often.
const brotliQuality = 5

// Looked up when needed: loading it takes longer than the rest of the package.
const zlib = () => process.getBuiltinModule('node:zlib')

const encoders = {
  br(bytes: Uint8Array): Promise<Uint8Array> {
    const { brotliCompress, constants } = zlib()
    return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })
  },
  gzip: (bytes: Uint8Array): Promise<Uint8Array> => promisify(zlib().gzip)(bytes),
}

/**
 * The middleware that compresses answers with Brotli or gzip, as the client prefers: text of all kinds, not below
 * the threshold, not what is encoded already or must not be transformed. The limit of 1 MB is for what comes out.
 * @throws InvalidOptionError for an unknown option or a threshold that is no number of bytes
 */
export function compress(options: CompressOptions = {}): HttpMiddleware {
  refuseUnknownOptions('compress()', options, ['threshold'])
  const { threshold = 1024 } = options
  if (!(threshold >= 0)) throw new InvalidOptionError(`compress(): threshold is ${threshold}, expected bytes`)
  return httpMiddleware('compress', {
    after: async request => {
      const reply = request.response!
      // What is not sent again may be there compressed, RFC 9110, 15.4.5.
      if (reply.statusCode === 304) request.response = withVary(reply, 'accept-encoding')
      if (!isCompressible(reply)) return
      const varied = withVary(reply, 'accept-encoding')
      request.response = varied
      const bytes = replyBytes(reply)
      const encoding = preferred(allHeaders(headerMap(request.event), 'accept-encoding').join(','))
      if (bytes.byteLength < threshold || encoding === undefined) return
      const { isBase64Encoded, ...rest } = varied
      request.response = withHeaders(
        { ...rest, body: await encoders[encoding](bytes) },
        { 'content-encoding': encoding, ...weakened(replyHeader(reply, 'etag')[0]) },
      )
    },
  })
}

function isCompressible(reply: Reply): boolean {
  const { statusCode } = reply
  if (isWithoutContent(statusCode) || statusCode === 206) return false
  if (replyHeader(reply, 'content-encoding').length > 0) return false
  if (replyHeader(reply, 'cache-control').some(value => /(?:^|[\s,])no-transform(?:$|[\s,])/i.test(value)))
    return false
  const [contentType] = replyHeader(reply, 'content-type')
  if (contentType === undefined) return typeof reply.body === 'string' && reply.isBase64Encoded !== true
  const type = mediaType(contentType)
  return (
    type.startsWith('text/') ||
    /^application\/(?:[^/]+\+)?(?:json|xml)$/.test(type) ||
    ['application/javascript', 'application/x-ndjson', 'application/wasm', 'image/svg+xml'].includes(type)
  )
}

// A list that goes on after this is nobody's preference, and takes time that the client decides on.
const longestPreference = 1000

/** The encoding that the client likes best, Brotli among equals; undefined for none. RFC 9110, 12.5.3. */
function preferred(acceptEncoding: string): keyof typeof encoders | undefined {
  const weights = new Map<string, number>()
  for (const part of acceptEncoding.slice(0, longestPreference).split(',')) {
    const [name, ...parameters] = part.split(';').map(each => each.trim().toLowerCase())
    const q = parameters.find(each => each.startsWith('q='))
    weights.set(name!, q === undefined ? 1 : Number(q.slice(2)) || 0)
  }
  const weight = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const best = weight('br') >= weight('gzip') ? 'br' : 'gzip'
  const plain = weights.get('identity') ?? 0
  return weight(best) > 0 && weight(best) >= plain ? best : undefined
}

// A strong tag promises the same bytes, and these are others.
function weakened(tag: string | undefined): { readonly etag?: string } {
  return tag === undefined || tag.startsWith('W/') ? {} : { etag: `W/${tag}` }
}
