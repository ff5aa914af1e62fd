import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { MemoryBudget } from '@signalbox/platform-runtime/listener'
import { type PlainResponse, plainResponse } from './plain-response.ts'

/** Bytes of a body that is small enough to be copied. */
const oneWrite = 32 * 1024

/**
 * Milliseconds in which a client that has something to read has to read some of it, or to say something. What the
 * system took at first counts as read, so that twice as many may pass.
 */
const readingLimit = 60_000

/**
 * Writes responses, each unless nobody is there any more. What is ready in one turn of the event loop goes out
 * together at its end: a client that waits has to be woken for the first of them only. What a client does not read at
 * once is counted, and goes with its connection when others need the room.
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
          !memory.reserve(response, answer.body.byteLength, () => socket.destroy())
        )
          socket.destroy()
      } catch {
        // Whatever Node finds wrong with it must not cost the others theirs.
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
  // Node sends a text in one go with the head, but bytes after it. In this encoding each character is one byte.
  if (text !== undefined) response.end(text)
  else if (body.byteLength > oneWrite) response.end(body)
  else response.end(bufferOf(body).toString('latin1'), 'latin1')
}

/**
 * Ends a connection whose client reads nothing of what is there for it. One that merely waits may wait: how long is
 * the function's affair.
 */
export function expectReading(socket: Socket, limit: number = readingLimit): void {
  // Node's own time-outs see nothing wrong with a client that does not read.
  socket.setTimeout(socket.writableLength > 0 ? limit : 0)
}

/** Refuses a request, and leaves the client: it may be sending a body that nobody wants. */
export function refuse(request: IncomingMessage, response: ServerResponse, answer: PlainResponse): void {
  write(response, { ...answer, headers: [...answer.headers, ['connection', 'close']] })
  request.resume()
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Ends a response for which something of the platform's own went wrong. */
export function giveUp(response: ServerResponse): void {
  if (response.headersSent) response.destroy()
  else write(response, plainResponse(502, 'Bad Gateway'))
}
