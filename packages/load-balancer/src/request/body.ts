import { charsetOf, type LoadBalancerEvent, maxRequestBodyBytes, mediaType } from '../contract/index.ts'
import { HttpError } from '../response/http-error.ts'

/** The ways to read a body. */
export const bodyKinds = ['json', 'form', 'text', 'bytes'] as const
/** A way to read a body. */
export type BodyKind = (typeof bodyKinds)[number]

/** The parts of a request from which its body is read. */
export interface BodySource {
  readonly event: LoadBalancerEvent
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  /** The maximum size of the body in bytes. */
  readonly limit?: number
}

/** Returns the kind of body for a content type, or undefined if there is no content type. */
export function bodyKind(contentType: string | undefined): BodyKind | undefined {
  const type = mediaType(contentType)
  if (type === '') return undefined
  if (type === 'application/json' || /^[^/]+\/[^/]+\+json$/.test(type)) return 'json'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  if (type.startsWith('text/') || type === 'application/xml' || type === 'application/javascript')
    return 'text'
  return 'bytes'
}

/**
 * Returns the body as bytes.
 * @throws HttpError 413 above the limit, and TypeError when a middleware has already parsed the body
 */
export function bodyBytes({ event, limit = maxRequestBodyBytes }: BodySource): Uint8Array {
  const body = event.body ?? ''
  if (typeof body !== 'string') throw new TypeError('A middleware has parsed the body, so its bytes are lost')
  const encoding = event.isBase64Encoded ? 'base64' : 'utf8'
  // The size is checked before decoding. A character has at most three bytes, so a short string needs no exact count.
  if (body.length * 3 > limit && Buffer.byteLength(body, encoding) > limit) {
    throw new HttpError(413, `The body has more than ${limit} bytes`)
  }
  return Buffer.from(body, encoding)
}

/**
 * Returns the body as text, decoded with the charset of its content type.
 * @throws HttpError 413 above the limit, 415 for an unknown charset
 */
export function bodyText(source: BodySource): string {
  const { event, contentType, limit = maxRequestBodyBytes } = source
  const body = event.body ?? ''
  const charset = charsetOf(contentType)
  if (!event.isBase64Encoded && charset === 'utf-8') {
    if (body.length * 3 > limit) bodyBytes(source)
    // A byte order mark is removed here. For Base64, the decoder below removes it.
    return body.startsWith('\ufeff') ? body.slice(1) : body
  }
  let decoder: InstanceType<typeof TextDecoder>
  try {
    decoder = new TextDecoder(charset)
  } catch {
    throw new HttpError(415, `The charset ${charset} is unknown`)
  }
  // The load balancer reads a text body as UTF-8, so encoding it as UTF-8 gives the bytes that were sent.
  return decoder.decode(bodyBytes(source))
}

/**
 * Returns the body as parsed JSON, URLSearchParams of a form, text or bytes, depending on its content type. A body with
 * a content-encoding is returned as bytes. Returns undefined if there is no body. A body that a middleware has already
 * parsed is returned unchanged.
 * @throws HttpError 400 for invalid JSON, 413 above the limit
 */
export function bodyByType(source: BodySource): unknown {
  if ((source.event.body ?? '') === '') return undefined
  if (isParsed(source)) return source.event.body
  if (isEncoded(source)) return bodyBytes(source)
  const kind = bodyKind(source.contentType) ?? (source.event.isBase64Encoded ? 'bytes' : 'text')
  return readers[kind](source)
}

/**
 * Returns the body as one of `kinds`. The first kind is assumed when the request has no content type. A body that a
 * middleware has already parsed is returned unchanged.
 * @throws HttpError 415 for another kind of body, 400 for invalid JSON, 413 above the limit
 */
export function bodyAs(source: BodySource, kinds: readonly BodyKind[]): { kind: BodyKind; content: unknown } {
  if (isParsed(source)) return { kind: 'json', content: source.event.body }
  const kind = bodyKind(source.contentType) ?? kinds[0]!
  if (!kinds.includes(kind)) {
    const type = mediaType(source.contentType)
    throw new HttpError(
      415,
      `The body is ${type}, expected ${kinds.map(each => kindNames[each]).join(' or ')}`,
    )
  }
  if (isEncoded(source) && kind !== 'bytes') {
    throw new HttpError(
      415,
      `The body has content-encoding ${source.contentEncoding}, which is not supported`,
    )
  }
  if ((source.event.body ?? '') === '') {
    bodyBytes(source)
    return { kind, content: undefined }
  }
  return { kind, content: readers[kind](source) }
}

const kindNames = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/*',
  bytes: 'bytes of any other type',
}

const readers: { readonly [K in BodyKind]: (source: BodySource) => unknown } = {
  json: parseJson,
  form: source => new URLSearchParams(bodyText(source)),
  text: bodyText,
  bytes: bodyBytes,
}

function parseJson(source: BodySource): unknown {
  const text = bodyText(source)
  try {
    return JSON.parse(text)
  } catch {
    // The message of the parser quotes the text, which may contain a password.
    throw new HttpError(400, 'The body is not JSON')
  }
}

// Returns whether a middleware has already parsed the body. The body parsers of middy replace the body text with their
// result.
function isParsed({ event: { body } }: BodySource): boolean {
  return typeof body !== 'string' && body !== undefined && body !== null
}

function isEncoded({ contentEncoding }: BodySource): boolean {
  return contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== 'identity'
}
