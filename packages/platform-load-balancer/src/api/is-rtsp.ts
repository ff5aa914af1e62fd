import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** What Node's socket of an HTTP server has beside what it documents. */
interface ParsedSocket extends Socket {
  readonly parser?: { readonly getCurrentBuffer?: () => Buffer }
}

/**
 * Whether a request is of RTSP. Node's parser takes it for one of HTTP with the same version, and keeps the name of the
 * protocol to itself, so that the line is looked for in what has just arrived. This copies all of that: it is for the
 * requests that stand alone, and has to be called while Node announces the request. A request line that comes in several
 * pieces is not recognized.
 */
export function isRtsp({ socket, method, url }: IncomingMessage): boolean {
  const bytes = (socket as ParsedSocket).parser?.getCurrentBuffer?.()
  return bytes?.includes(`${method} ${url} RTSP/`, 0, 'latin1') ?? false
}
