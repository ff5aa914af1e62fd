/** Media types whose bodies the load balancer passes on as text. Contract D, `isBase64Encoded`; extension. */
export const textMediaTypes = [
  'text/*',
  'application/json',
  'application/javascript',
  'application/xml',
] as const

/**
 * Whether the load balancer passes a body on as text: it is not encoded, and its type is one of
 * `textMediaTypes`. Every other body becomes Base64. Extension to contract D, `isBase64Encoded`.
 */
export function isTextBody(contentType: string | undefined, contentEncoding: string | undefined): boolean {
  if (contentEncoding !== undefined) return false
  const type = mediaType(contentType)
  return type.startsWith('text/') || (textMediaTypes as readonly string[]).includes(type)
}

/** Whether a text is Base64, with its padding. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

/** The media type of a `content-type` header without its parameters, in lower case; empty when there is none. */
export function mediaType(contentType: string | undefined): string {
  if (contentType === undefined) return ''
  const end = contentType.indexOf(';')
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase()
}
