import { charsetOf, type LoadBalancerEvent, maxRequestBodyBytes, mediaType } from '../contract/index.ts'
import { HttpError } from '../response/http-error.ts'

/** What a body can be read as. */
export const bodyKinds = ['json', 'form', 'text', 'bytes'] as const
export type BodyKind = (typeof bodyKinds)[number]

/** The part of a request that its body is read from. */
export interface BodySource {
  readonly event: LoadBalancerEvent
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  /** Bytes that the body may have. */
  readonly limit?: number
}

/** What a body's content type says it is; undefined when there is no type. */
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
 * The body as bytes, whatever its type.
 * @throws HttpError 413 above the limit, TypeError once a middleware has parsed it
 */
export function bodyBytes({ event, limit = maxRequestBodyBytes }: BodySource): Uint8Array {
  const body = event.body ?? ''
  if (typeof body !== 'string') throw new TypeError('A middleware has parsed the body: its bytes are gone')
  const encoding = event.isBase64Encoded ? 'base64' : 'utf8'
  // Measured before it is decoded. A character is at most three bytes, so short texts need no measuring.
  if (body.length * 3 > limit && Buffer.byteLength(body, encoding) > limit) {
    throw new HttpError(413, `The body is above ${limit} bytes`)
  }
  return Buffer.from(body, encoding)
}

/**
 * The body as text, in the charset of its content type.
 * @throws HttpError 413 above the limit, 415 for a charset that nobody knows
 */
export function bodyText(source: BodySource): string {
  const { event, contentType, limit = maxRequestBodyBytes } = source
  const body = event.body ?? ''
  const charset = charsetOf(contentType)
  if (!event.isBase64Encoded && charset === 'utf-8') {
    if (body.length * 3 > limit) bodyBytes(source)
    // As the decoder below does it: whether a body is Base64 is the load balancer's affair.
    return body.startsWith('\ufeff') ? body.slice(1) : body
  }
  let decoder: InstanceType<typeof TextDecoder>
  try {
    decoder = new TextDecoder(charset)
  } catch {
    throw new HttpError(415, `The charset ${charset} is not known`)
  }
  // Text that a load balancer has passed on as such is the bytes that came, read as UTF-8.
  return decoder.decode(bodyBytes(source))
}

/**
 * The body as its content type says: parsed JSON, URLSearchParams of a form, text, or bytes; undefined when
 * there is none. A body that is still encoded is bytes, and one that a middleware has parsed stays what that made it.
 * @throws HttpError 400 for what is no JSON, 413 above the limit
 */
export function bodyByType(source: BodySource): unknown {
  if ((source.event.body ?? '') === '') return undefined
  if (isParsed(source)) return source.event.body
  if (isEncoded(source)) return bodyBytes(source)
  const kind = bodyKind(source.contentType) ?? (source.event.isBase64Encoded ? 'bytes' : 'text')
  return readers[kind](source)
}

/**
 * The body as one of `kinds`, the first of which is assumed when the request names no type; or what a middleware has
 * made of it, which is for the middleware to decide.
 * @throws HttpError 415 when it is none of them, 400 for what is no JSON, 413 above the limit
 */
export function bodyAs(source: BodySource, kinds: readonly BodyKind[]): { kind: BodyKind; content: unknown } {
  if (isParsed(source)) return { kind: 'json', content: source.event.body }
  const kind = bodyKind(source.contentType) ?? kinds[0]!
  if (!kinds.includes(kind)) {
    const found = mediaType(source.contentType)
    throw new HttpError(
      415,
      `The body is ${found}, expected ${kinds.map(each => kindNames[each]).join(' or ')}`,
    )
  }
  if (isEncoded(source) && kind !== 'bytes') {
    throw new HttpError(415, `A body with content-encoding ${source.contentEncoding} is not read`)
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
    // The parser's own message quotes the text, which may hold a password.
    throw new HttpError(400, 'The body is not JSON')
  }
}

// Such as middy's body parsers, which put what they read in the place of the text.
function isParsed({ event: { body } }: BodySource): boolean {
  return typeof body !== 'string' && body !== undefined && body !== null
}

function isEncoded({ contentEncoding }: BodySource): boolean {
  return contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== 'identity'
}
