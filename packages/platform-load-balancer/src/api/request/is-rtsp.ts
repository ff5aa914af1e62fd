import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** What Node's socket of an HTTP server has beside what it documents. */
interface ParsedSocket extends Socket {
  readonly parser?: Parser
}

interface Parser {
  readonly getCurrentBuffer?: () => Buffer
  /** What is called when something happens, by the number of the event. */
  [event: number]: ((result: unknown) => void) | null | undefined
}

/** The first line of a connection, as much of it as came before the first request was announced. */
interface Beginning {
  line: Buffer
  isOver: boolean
}

const beginnings = new WeakMap<Socket, Beginning>()

/** Bytes of a line that comes in several pieces. What is longer is not looked at. */
const lineLimit = 16 * 1024

/** Keeps the first line of a connection until its first request is announced. Most are there together. */
export function keepBeginning(socket: Socket): void {
  const { parser } = socket as ParsedSocket
  const event = (parser?.constructor as { readonly kOnExecute?: number } | undefined)?.kOnExecute
  if (parser?.getCurrentBuffer === undefined || event === undefined) return
  const handled = parser[event]
  const beginning: Beginning = { line: Buffer.alloc(0), isOver: false }
  beginnings.set(socket, beginning)
  // Called when Node has parsed what has arrived.
  parser[event] = result => {
    if (!beginning.isOver) {
      const bytes = Buffer.concat([beginning.line, parser.getCurrentBuffer!()])
      const end = /\S\s*\n/.exec(bytes.toString('latin1', 0, lineLimit))
      beginning.line = Buffer.from(bytes.subarray(0, end === null ? lineLimit : end.index + end[0].length))
      beginning.isOver = end !== null || bytes.length > lineLimit
    }
    if (beginning.isOver) parser[event] = handled
    handled?.(result)
  }
}

/**
 * Whether a request uses RTSP. Node's parser takes it for one of HTTP with the same version, and keeps the name of the
 * protocol to itself, so that the line is looked for in what has just arrived, and for the first request of a connection
 * in what came before. This copies all of that: it is for the requests that stand alone, and has to be called while Node
 * announces the request.
 */
export function isRtsp({ socket, method, url }: IncomingMessage): boolean {
  const bytes = (socket as ParsedSocket).parser?.getCurrentBuffer?.()
  if (bytes === undefined) return false
  const beginning = beginnings.get(socket)
  const all = beginning === undefined ? bytes : Buffer.concat([beginning.line, bytes])
  if (beginning !== undefined) beginning.isOver = true
  beginnings.delete(socket)
  return all.includes(`${method} ${url} RTSP/`, 0, 'latin1')
}
