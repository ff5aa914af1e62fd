/**
 * The media types of bodies that the load balancer passes to the function as text. See
 * docs/contract/load-balancer.md#request.base64.
 */
export const textMediaTypes = [
  'text/*',
  'application/json',
  'application/javascript',
  'application/xml',
] as const

/**
 * Returns whether the load balancer passes a body to the function as text: it has no content-encoding, its type is one
 * of `textMediaTypes`, and its charset is UTF-8 or ASCII. A body without these properties becomes Base64, which keeps
 * its bytes. See docs/contract/load-balancer.md#request.base64.
 * @example
 * ```ts
 * import { isTextBody } from '@signalbox/load-balancer/contract'
 *
 * isTextBody('application/json', undefined) // true
 * isTextBody('application/json', 'gzip') // false
 * ```
 */
export function isTextBody(contentType: string | undefined, contentEncoding: string | undefined): boolean {
  if (contentEncoding !== undefined) return false
  const type = mediaType(contentType)
  const isText = type.startsWith('text/') || (textMediaTypes as readonly string[]).includes(type)
  return isText && charsetOf(contentType) === 'utf-8'
}

/**
 * Returns the charset of a `content-type` header, in lower case. Returns `utf-8` for ASCII, and for a type without a
 * charset.
 * @example
 * ```ts
 * import { charsetOf } from '@signalbox/load-balancer/contract'
 *
 * charsetOf('text/html; charset=ISO-8859-1') // 'iso-8859-1'
 * charsetOf('text/html') // 'utf-8'
 * ```
 */
export function charsetOf(contentType: string | undefined): string {
  const named = /;\s*charset="?([^\s";]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase() ?? 'utf-8'
  return ['utf8', 'us-ascii', 'ascii'].includes(named) ? 'utf-8' : named
}

/** Returns whether a string is Base64 with padding. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

/**
 * Returns the media type of a `content-type` header in lower case, without its parameters. Returns an empty string if
 * there is no media type.
 * @example
 * ```ts
 * import { mediaType } from '@signalbox/load-balancer/contract'
 *
 * mediaType('Text/HTML; charset=utf-8') // 'text/html'
 * ```
 */
export function mediaType(contentType: string | undefined): string {
  if (contentType === undefined) return ''
  const end = contentType.indexOf(';')
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase()
}
