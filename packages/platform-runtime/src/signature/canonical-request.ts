import { hash } from 'node:crypto'
import { type HeaderLayout, headerLines, headerValue } from './header-layout.ts'

/** An HTTP request to sign. */
export interface SignableRequest {
  readonly method: string
  /** The path and query, as in the request line. */
  readonly target: string
  /** Alternating names and values, like Node's `rawHeaders`. */
  readonly headers: readonly string[]
  readonly body: SignedBody
}

/** A body, or the text that stands for its digest in a request whose signature does not cover the body as a whole. */
export type SignedBody = Uint8Array | string

/** A request whose body may not have arrived yet. */
export type SignableHead = Omit<SignableRequest, 'body'>

/**
 * Returns the canonical text of a request. Requests with different meanings have different texts.
 * @param layout the layout of the request's headers
 * @param hasPlainPath whether the path is signed as it is sent, as S3 clients do, and not normalized and encoded again
 */
export function canonicalRequest(
  { method, target, headers, body }: SignableRequest,
  layout: HeaderLayout,
  hasPlainPath = false,
): string {
  const at = target.indexOf('?')
  const [path, query] = at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)]
  const lines = headerLines(headers, layout)
  const signedPath = hasPlainPath ? path : canonicalPath(path)
  const digest = typeof body === 'string' ? body : hash('sha256', body)
  return `${method}\n${signedPath}\n${canonicalQuery(query)}\n${lines}\n${layout.signedHeaders}\n${digest}`
}

/**
 * Returns the values of a header, joined in the form that is signed. Returns undefined if the request has no such
 * header.
 */
export function headerOf({ headers }: Pick<SignableRequest, 'headers'>, name: string): string | undefined {
  let joined: string | undefined
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const own = headers[at]!
    if (own.length !== name.length || (own !== name && own.toLowerCase() !== name)) continue
    const value = headerValue(headers[at + 1]!)
    joined = joined === undefined ? value : `${joined},${value}`
  }
  return joined
}

/** Returns the decoded query parameters of a target: all values of each name, in order. */
export function queryOf(target: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const at = target.indexOf('?')
  for (const part of at < 0 ? [] : target.slice(at + 1).split('&')) {
    const equals = part.indexOf('=')
    const name = decoded(equals < 0 ? part : part.slice(0, equals))
    const value = equals < 0 ? '' : decoded(part.slice(equals + 1))
    const values = found.get(name)
    if (values === undefined) found.set(name, [value])
    else values.push(value)
  }
  return found
}

function canonicalPath(path: string): string {
  if (path === '/') return path
  const kept: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(encoded(segment))
  }
  const isFolder = /\/\.{0,2}$/.test(path) && kept.length > 0
  return `/${kept.join('/')}${isFolder ? '/' : ''}`
}

function canonicalQuery(query: string): string {
  if (query === '') return ''
  return (
    query
      .split('&')
      // In a presigned URL, everything except the signature is signed.
      .filter(part => !part.startsWith('X-Amz-Signature='))
      .map(part => {
        const at = part.indexOf('=')
        const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
        return [encoded(decoded(name)), encoded(decoded(value))] as const
      })
      .sort(([name, value], [otherName, otherValue]) => order(name, otherName) || order(value, otherValue))
      .map(([name, value]) => `${name}=${value}`)
      .join('&')
  )
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Encodes everything but letters, digits and `-._~` (RFC 3986). */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
