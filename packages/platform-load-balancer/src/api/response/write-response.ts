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
 * Sends a response to a client that is still connected. What the client has not read counts in the memory budget, and
 * the connection is closed when other responses need the memory.
 */
export function send(
  response: ServerResponse,
  answer: PlainResponse,
  memory: MemoryBudget,
  limit: number = readingLimit,
): void {
  write(response, answer)
  const { socket } = response.req
  if (socket.writableLength > 0) expectReading(socket, limit)
  const unread = response.writableLength
  if (unread > 0 && !memory.reserve(response, unread, () => socket.destroy())) socket.destroy()
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
