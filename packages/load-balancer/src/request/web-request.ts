import type { LoadBalancerEvent } from '../contract/index.ts'
import { HttpError } from '../response/http-error.ts'
import { allHeaders, type EventMap, firstHeader } from './values.ts'

/** What a Web `Request` is made of. */
export interface WebRequestSource {
  readonly event: LoadBalancerEvent
  readonly headers: EventMap
  readonly query: EventMap
  readonly protocol: string
  readonly signal: AbortSignal
  readonly bytes: () => Uint8Array
}

/**
 * The request as the web's own `Request`. Its URL cannot hold every path that HTTP can: a path with dot segments
 * would turn into another one, and is refused.
 * @throws HttpError 400 for a path or host that a URL cannot hold as it is, and for headers that are none
 */
export function webRequest({ event, headers, query, protocol, signal, bytes }: WebRequestSource): Request {
  const host = firstHeader(headers, 'host') ?? 'localhost'
  const path = urlPath(event.path)
  const search = searchOf(query)
  const text = `${protocol}://${host}${path}${search === '' ? '' : `?${search}`}`
  const url = /[/?#@\\]/.test(host) ? null : URL.parse(text)
  if (url === null || url.pathname !== path) {
    throw new HttpError(400, 'The path or host cannot be written as a URL')
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

// What a URL cannot hold as it is gets encoded, and escapes that are there stay. No callback for each character:
// whoever sends a long path decides how many there are.
function urlPath(path: string): string {
  return encodeURI(path.toWellFormed())
    .replaceAll('%5B', '[')
    .replaceAll('%5D', ']')
    .replaceAll('%25', '%')
    .replaceAll('?', '%3F')
    .replaceAll('#', '%23')
}
