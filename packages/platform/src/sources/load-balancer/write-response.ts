import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PlainResponse } from './plain-response.ts'

/** Bytes of a body that is small enough to be copied. */
const oneWrite = 32 * 1024

/** Milliseconds that a client gets to read why it was refused, while it may still be sending. */
const linger = 1000

/**
 * Writes responses, each unless nobody is there any more. What is ready in one turn of the event loop goes out
 * together at its end: a client that waits has to be woken for the first of them only.
 */
export function responseWriter(): (response: ServerResponse, answer: PlainResponse) => void {
  let ready: (readonly [ServerResponse, PlainResponse])[] = []
  const flush = () => {
    const going = ready
    ready = []
    for (const [response, answer] of going) {
      try {
        write(response, answer)
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

function write(response: ServerResponse, { status, reason, headers, body }: PlainResponse): void {
  if (response.destroyed) return
  const lines: string[] = []
  for (const [name, value] of headers) lines.push(name, value)
  response.writeHead(status, reason, lines)
  // Node sends a text in one go with the head, but bytes after it. In this encoding each character is one byte.
  if (body.byteLength > oneWrite) response.end(body)
  else response.end(bufferOf(body).toString('latin1'), 'latin1')
}

/**
 * Refuses a request, and leaves the client: it may be sending a body that nobody wants, or speak another protocol
 * next. It gets some time, because a connection that is cut while it still sends can cost it the answer.
 */
export function refuse(request: IncomingMessage, response: ServerResponse, answer: PlainResponse): void {
  write(response, { ...answer, headers: [...answer.headers, ['connection', 'close']] })
  const { socket } = request
  request.resume()
  const cut = setTimeout(() => socket.destroy(), linger)
  socket.once('close', () => clearTimeout(cut))
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Ends a response for which something of the platform's own went wrong. */
export function giveUp(response: ServerResponse): void {
  if (!response.headersSent) response.writeHead(502)
  response.end()
}
