import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { isHopByHop } from '@signalbox/load-balancer/contract'

/** The request and the response of an HTTP/2 stream, with the interfaces of Node's HTTP/1.1 module. */
export interface Http2Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Sends 100 Continue to a client that waits for it before its body. Undefined for any other client. */
  readonly mayContinue: (() => void) | undefined
}

/** Milliseconds in which a client with an unread response must read some of it. */
const readingLimit = 60_000

/** Reset codes of RFC 9113, 7. */
const [noError, internalError, cancel] = [0, 2, 8]

/**
 * Presents an HTTP/2 stream as an HTTP/1.1 request and its response, so that the rest of the code handles both versions
 * alike: `:authority` becomes the `host` header, several `cookie` lines become one, and trailers are dropped.
 * @param raw alternating names and values, including pseudo-header fields
 */
export function http2Exchange(
  stream: ServerHttp2Stream,
  raw: readonly string[],
  socket: Socket,
): Http2Exchange {
  const { method, url, lines } = readFields(raw)
  const headers = singleHeaders(lines)
  // In HTTP/2, a request without a content-length has no header that shows whether it has a body.
  if (!stream.endAfterHeaders) headers['transfer-encoding'] = 'chunked'
  let isComplete = false
  const events = new EventEmitter()
  stream.on('data', (chunk: Buffer) => events.emit('data', chunk))
  stream.on('end', () => {
    // Node also ends the data of a stream that its client resets.
    if (stream.aborted || stream.closed) return
    isComplete = true
    events.emit('end')
  })
  stream.on('close', () => events.emit('close'))
  stream.on('error', () => {})

  const request = Object.defineProperties(
    Object.assign(events, {
      ...{ method, url, rawHeaders: lines, headers, socket },
      ...{ httpVersionMajor: 1, httpVersionMinor: 1 },
      // Data without a listener is discarded anyway.
      resume: () => request,
    }),
    { complete: { get: () => isComplete } },
  ) as unknown as IncomingMessage

  const response = Object.defineProperties(
    {
      req: request,
      shouldKeepAlive: true,
      writeHead(status: number, _reason: string, fields: readonly string[]) {
        stream.respond({ ':status': status, ...responseFields(fields) })
        return response
      },
      end(content: string | Uint8Array, encoding: BufferEncoding = 'utf8') {
        // A response to HEAD ends with its headers.
        if (stream.writableEnded) return response
        stream.end(content, encoding)
        stream.setTimeout(readingLimit, () => stream.close(cancel))
        // RFC 9113, 8.1: the client need not send the rest of its body.
        if (!isComplete) stream.once('finish', () => stream.close(noError))
        return response
      },
      destroy() {
        stream.close(internalError)
        return response
      },
      once(name: string, listener: () => void) {
        stream.once(name, listener)
        return response
      },
    },
    {
      destroyed: { get: () => stream.destroyed || stream.closed },
      headersSent: { get: () => stream.headersSent },
      writableLength: { get: () => stream.writableLength },
    },
  ) as unknown as ServerResponse

  const mayContinue =
    headers.expect === undefined ? undefined : () => stream.additionalHeaders({ ':status': 100 })
  return { request, response, mayContinue }
}

function readFields(raw: readonly string[]) {
  const lines: string[] = []
  let [method, url, authority] = ['', '', undefined as string | undefined]
  let cookieAt = -1
  for (let at = 0; at < raw.length; at += 2) {
    const [name, value] = [raw[at]!, raw[at + 1]!]
    if (name === ':method') method = value
    // Without a target, the request is refused. The parser of HTTP/1 refuses other characters, too (RFC 3986, 2).
    else if (name === ':path') url = /^[!-~]*$/.test(value) ? value : ''
    else if (name === ':authority') authority = value
    else if (name.startsWith(':')) continue
    else if (name === 'cookie' && cookieAt >= 0) lines[cookieAt] += `; ${value}`
    else {
      lines.push(name, value)
      if (name === 'cookie') cookieAt = lines.length - 1
    }
  }
  if (authority === undefined) return { method, url, lines }
  const hostAt = lines.findIndex((name, at) => at % 2 === 0 && name === 'host')
  // If the two names differ, both lines remain, and the request is refused (RFC 9113, 8.3.1).
  if (hostAt < 0 || normalized(lines[hostAt + 1]!) !== normalized(authority)) lines.unshift('host', authority)
  else lines[hostAt + 1] = authority
  return { method, url, lines }
}

/** Returns a host of a request over TLS in the form in which it is compared (RFC 3986, 6.2). */
function normalized(host: string): string {
  return host.toLowerCase().replace(/:(?:443)?$/, '')
}

/** Returns the first value of each header. The headers that this file reads may occur only once. */
function singleHeaders(lines: readonly string[]): { [name: string]: string } {
  const headers: { [name: string]: string } = Object.create(null)
  for (let at = 0; at < lines.length; at += 2) headers[lines[at]!] ??= lines[at + 1]!
  return headers
}

/**
 * Returns the header fields of a response without the connection headers (RFC 9113, 8.2.2). Several values of a header
 * are joined with commas (RFC 9110, 5.2), except cookies, because Node refuses a list of values for many headers.
 */
function responseFields(fields: readonly string[]): { [name: string]: string | string[] } {
  const found: { [name: string]: string } = Object.create(null)
  const cookies: string[] = []
  for (let at = 0; at < fields.length; at += 2) {
    const [name, value] = [fields[at]!.toLowerCase(), withoutBlanks(fields[at + 1]!)]
    if (isHopByHop(name) || name === 'http2-settings') continue
    if (name === 'set-cookie') cookies.push(value)
    else found[name] = name in found ? withoutBlanks(`${found[name]}, ${value}`) : value
  }
  return cookies.length === 0 ? found : { ...found, 'set-cookie': cookies }
}

/**
 * Returns a header value without blanks at its ends, which are not part of it (RFC 9110, 5.5). Node drops a header that
 * has them.
 */
function withoutBlanks(value: string): string {
  let [start, end] = [0, value.length]
  while (start < end && (value[start] === ' ' || value[start] === '\t')) start++
  while (start < end && (value[end - 1] === ' ' || value[end - 1] === '\t')) end--
  return value.slice(start, end)
}
