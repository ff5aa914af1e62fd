import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Undocumented properties of the sockets in Node's HTTP server. */
interface ParsedSocket extends Socket {
  readonly parser?: Parser
}

interface Parser {
  readonly getCurrentBuffer?: () => Buffer
  /** The parser's callbacks, by event number. */
  [event: number]: ((result: unknown) => void) | null | undefined
}

/** The part of a connection's first line that arrived before Node announced the first request. */
interface Beginning {
  line: Buffer
  isOver: boolean
  /** Whether the line is longer than `lineLimit`. */
  isTooLong: boolean
}

const beginnings = new WeakMap<Socket, Beginning>()

/** The maximum length in bytes of a line that arrives in several chunks. A longer line is not examined. */
const lineLimit = 16 * 1024

/**
 * Keeps the first line of a connection until its first request is announced. Most first lines arrive together with
 * that request.
 */
export function keepFirstLine(socket: Socket): void {
  const { parser } = socket as ParsedSocket
  const event = (parser?.constructor as { readonly kOnExecute?: number } | undefined)?.kOnExecute
  if (parser?.getCurrentBuffer === undefined || event === undefined) return
  const handled = parser[event]
  const beginning: Beginning = { line: Buffer.alloc(0), isOver: false, isTooLong: false }
  beginnings.set(socket, beginning)
  // Node calls this function when it has parsed the bytes that arrived.
  parser[event] = result => {
    if (!beginning.isOver) {
      const bytes = Buffer.concat([beginning.line, parser.getCurrentBuffer!()])
      const end = /\S\s*\n/.exec(bytes.toString('latin1', 0, lineLimit))
      beginning.line = Buffer.from(bytes.subarray(0, end === null ? lineLimit : end.index + end[0].length))
      beginning.isTooLong = end === null && bytes.length > lineLimit
      beginning.isOver = end !== null || beginning.isTooLong
    }
    if (beginning.isOver) parser[event] = handled
    handled?.(result)
  }
}

/**
 * Returns whether the first line of a connection is too long for the parser to announce its request. Node reports only
 * that the head of the request is too long.
 */
export function hasTooLongFirstLine(socket: Socket): boolean {
  return beginnings.get(socket)?.isTooLong === true
}

/**
 * Returns whether a request uses RTSP. Node's parser reads it as HTTP of the same version and hides the name of the
 * protocol. So this function searches for the request line in the bytes that have just arrived and, for the first
 * request of a connection, in earlier bytes. It copies all these bytes, so use it only for requests that arrive
 * alone. Must be called while Node announces the request.
 */
export function isRtsp({ socket, method = '', url = '' }: IncomingMessage): boolean {
  const bytes = (socket as ParsedSocket).parser?.getCurrentBuffer?.()
  if (bytes === undefined) return false
  const beginning = beginnings.get(socket)
  const all = beginning === undefined ? bytes : Buffer.concat([beginning.line, bytes])
  if (beginning !== undefined) beginning.isOver = true
  beginnings.delete(socket)
  return protocolName(all, method, url) === 'RTSP/'
}

/**
 * Returns the first five characters of the protocol in a request line. Headers and the body come after it, so a line of
 * theirs that looks the same does not count. Node accepts several spaces between the parts of the line.
 */
function protocolName(bytes: Buffer, method: string, url: string): string | undefined {
  for (let at = bytes.indexOf(method); at >= 0; at = bytes.indexOf(method, at + 1)) {
    if (at > 0 && bytes[at - 1] !== lineFeed) continue
    const urlAt = afterSpaces(bytes, at + method.length)
    const nameAt = afterSpaces(bytes, urlAt + url.length)
    if (nameAt > urlAt + url.length && bytes.toString('latin1', urlAt, urlAt + url.length) === url)
      return bytes.toString('latin1', nameAt, nameAt + 5)
  }
  return undefined
}

const [lineFeed, space] = [0x0a, 0x20]

function afterSpaces(bytes: Buffer, at: number): number {
  let next = at
  while (bytes[next] === space) next++
  return next
}
