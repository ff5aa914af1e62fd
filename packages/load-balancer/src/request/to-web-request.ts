import { HttpError } from '../response/http-error.ts'
import { type HttpRequest, headerMap, queryMap } from './http-request.ts'
import { allHeaders, type EventMap, firstHeader } from './values.ts'

/** The parts of a request from which a Web `Request` is made. Codecs do not change them. */
type WebRequestSource = Pick<HttpRequest, 'event' | 'protocol' | 'signal' | 'bytes'>

/**
 * Returns the request of a route as a Web `Request`.
 * @example post('/hook', async request => text(await verify(toWebRequest(request))))
 * @throws HttpError 400 for a path with dot segments or a host that a URL would change, and for invalid headers
 */
export function toWebRequest({ event, protocol, signal, bytes }: WebRequestSource): Request {
  const headers = headerMap(event)
  const host = firstHeader(headers, 'host') ?? 'localhost'
  const path = urlPath(event.path)
  const search = searchOf(queryMap(event))
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
