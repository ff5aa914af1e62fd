import { promisify } from 'node:util'
import { InvalidOptionError, refuseUnknownOptions } from '@signalbox/core'
import { mediaType } from '../contract/index.ts'
import { isWithoutContent } from '../contract/status.ts'
import { headerMap } from '../request/http-request.ts'
import { allHeaders } from '../request/values.ts'
import { type Reply, replyBytes } from '../response/reply.ts'
import { replyHeader, withHeaders, withVary } from '../response/reply-headers.ts'
import { type HttpMiddleware, httpMiddleware } from './http-middleware.ts'

/** Options of `compress`. */
export interface CompressOptions {
  /** The size in bytes from which a body is compressed. Default: 1024. */
  readonly threshold?: number
}

// Brotli's default quality suits files that are compressed once and served often. This quality is faster.
const brotliQuality = 5

// The module is loaded on first use, because loading node:zlib takes longer than loading the rest of the package.
const zlib = () => process.getBuiltinModule('node:zlib')

const encoders = {
  br(bytes: Uint8Array): Promise<Uint8Array> {
    const { brotliCompress, constants } = zlib()
    return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })
  },
  gzip: (bytes: Uint8Array): Promise<Uint8Array> => promisify(zlib().gzip)(bytes),
}

/**
 * Returns the middleware that compresses all types of text with Brotli or gzip, depending on what the client prefers.
 * It does not change bodies below the threshold, encoded bodies, or responses with `no-transform`. The limit of 1 MB
 * applies to the compressed body.
 * @example signalbox(loadBalancer(routes)).use(compress({ threshold: 4096 }))
 * @throws InvalidOptionError for an unknown option or a threshold that is not a number of bytes
 */
export function compress(options: CompressOptions = {}): HttpMiddleware {
  refuseUnknownOptions('compress()', options, ['threshold'])
  const { threshold = 1024 } = options
  if (!(threshold >= 0)) throw new InvalidOptionError(`compress(): threshold is ${threshold}, expected bytes`)
  return httpMiddleware('compress', {
    after: async request => {
      const reply = request.response!
      // A 304 needs the same Vary header as the 200 response, which may be compressed (RFC 9110, 15.4.5).
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
        {
          // Without a type, the serializer would call the compressed text bytes.
          'content-type': replyHeader(reply, 'content-type')[0] ?? 'text/plain; charset=utf-8',
          'content-encoding': encoding,
          ...weakened(replyHeader(reply, 'etag')[0]),
        },
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

// The maximum number of characters of `accept-encoding` that are read. Real clients send shorter headers, and reading a
// longer header would take more time.
const longestPreference = 1000

/**
 * Returns the encoding that the client prefers, Brotli if it has no preference, or undefined if it wants no encoding
 * (RFC 9110, 12.5.3).
 */
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

// Makes an entity tag weak: a strong tag promises identical bytes, but compression changes the bytes.
function weakened(tag: string | undefined): { readonly etag?: string } {
  return tag === undefined || tag.startsWith('W/') ? {} : { etag: `W/${tag}` }
}
