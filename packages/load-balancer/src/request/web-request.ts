import type { LoadBalancerEvent } from '../contract/index.ts'
import { HttpError } from '../response/http-error.ts'
import { allHeaders, type EventMap, firstHeader } from './values.ts'

/** The parts of a Web `Request`. */
export interface WebRequestSource {
  readonly event: LoadBalancerEvent
  readonly headers: EventMap
  readonly query: EventMap
  readonly protocol: string
  readonly signal: AbortSignal
  readonly bytes: () => Uint8Array
}

/**
 * Returns the request as a Web `Request`. It refuses a path with dot segments, because a URL would change the path.
 * @throws HttpError 400 for a path or host that a URL would change, and for invalid headers
 */
export function webRequest({ event, headers, query, protocol, signal, bytes }: WebRequestSource): Request {
  const host = firstHeader(headers, 'host') ?? 'localhost'
  const path = urlPath(event.path)
  const search = searchOf(query)
  const text = `${protocol}://${host}${path}${search === '' ? '' : `?${search}`}`
  const url = /[/?#@\\]/.test(host) ? null : URL.parse(text)
  if (url === null || url.pathname !== path) {
    throw new HttpError(400, 'The path or the Host header is not valid in a URL')
  }
  const withBody = event.httpMethod !== 'GET' && event.httpMethod !== 'HEAD' && (event.body ?? '') !== ''
  return new Request(url, {
    method: event.httpMethod,
    headers: webHeaders(headers),
    signal,
    ...(withBody ? { body: bytes() as Uint8Array<ArrayBuffer> } : {}),
  })
}

function webHeaders(headers: EventMap): Headers {
  const lines = Object.keys(headers).flatMap(name =>
    allHeaders(headers, name).map((value): [string, string] => [name, value]),
  )
  try {
    return new Headers(lines)
  } catch (cause) {
    throw new HttpError(400, 'A header has a name or value that HTTP cannot carry', { cause })
  }
}

function searchOf(query: EventMap): string {
  return Object.keys(query)
    .flatMap(name => {
      const values = query[name]!
      return (typeof values === 'string' ? [values] : values).map(value => `${name}=${value}`)
    })
    .join('&')
    .replaceAll('#', '%23')
}

// Encodes the characters that a URL would change, and keeps existing escapes. It does not call a function for each
// character, because a client can send a path of any length.
function urlPath(path: string): string {
  return encodeURI(path.toWellFormed())
    .replaceAll('%5B', '[')
    .replaceAll('%5D', ']')
    .replaceAll('%25', '%')
    .replaceAll('?', '%3F')
    .replaceAll('#', '%23')
}
