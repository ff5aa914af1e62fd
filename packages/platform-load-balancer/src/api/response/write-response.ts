import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { MemoryBudget } from '@signalbox/platform-runtime/listener'
import { type PlainResponse, plainResponse } from './plain-response.ts'

/** The maximum size in bytes of a body that is copied after its head, so that one write sends both. */
const oneWrite = 32 * 1024

/**
 * Milliseconds in which a client with an unread response must read some of it or send something. Bytes in system
 * buffers count as read, so the client may have twice this time.
 */
const readingLimit = 60_000

/**
 * Writes responses to clients that are still connected. Responses that are ready in the same turn of the event loop are
 * written together at its end. Unread responses count in the memory budget, and their connections are closed when other
 * responses need the memory.
 */
export function responseWriter(
  memory: MemoryBudget,
  limit: number = readingLimit,
): (response: ServerResponse, answer: PlainResponse) => void {
  let ready: (readonly [ServerResponse, PlainResponse])[] = []
  const flush = () => {
    const going = ready
    ready = []
    for (const [response, answer] of going) {
      try {
        write(response, answer)
        const { socket } = response.req
        if (socket.writableLength > 0) expectReading(socket, limit)
        if (
          response.writableLength > 0 &&
          !memory.reserve(response, response.writableLength, () => socket.destroy())
        )
          socket.destroy()
      } catch {
        // An error in one response must not affect the other responses.
        response.destroy()
      }
    }
  }
  return (response, answer) => {
    if (ready.push([response, answer]) === 1) setImmediate(flush)
  }
}

function write(response: ServerResponse, { status, reason, headers, body, text }: PlainResponse): void {
  if (response.destroyed) return
  const lines: string[] = []
  for (const [name, value] of headers) lines.push(name, value)
  response.writeHead(status, reason, lines)
  // Node sends a string together with the head, in the same encoding, but bytes separately. In latin1, each character
  // is one byte, as in the head.
  if (text !== undefined && Buffer.byteLength(text) === text.length) return void response.end(text, 'latin1')
  const bytes = text === undefined ? bufferOf(body) : Buffer.from(text)
  if (bytes.byteLength > oneWrite) response.end(bytes)
  else response.end(bytes.toString('latin1'), 'latin1')
}

/**
 * Ends a connection whose client does not read its response. This limit does not apply to a client that waits for a
 * response.
 */
export function expectReading(socket: Socket, limit: number = readingLimit): void {
  // Node's own timeouts do not cover a client that does not read.
  socket.setTimeout(socket.writableLength > 0 ? limit : 0)
}

/** Refuses a request, and closes the connection, because the client may still be sending its body. */
export function refuse(request: IncomingMessage, response: ServerResponse, answer: PlainResponse): void {
  write(response, { ...answer, headers: [...answer.headers, ['connection', 'close']] })
  request.resume()
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Ends a response after an error of the platform itself. */
export function giveUp(response: ServerResponse): void {
  if (response.headersSent) response.destroy()
  else write(response, plainResponse(502, 'Bad Gateway'))
}
