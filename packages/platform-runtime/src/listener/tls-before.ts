import type { Server as HttpServer } from 'node:http'
import type { Server, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/** Milliseconds that a client has for the handshake. */
const handshakeLimit = 10_000

/** Handshakes at a time. */
const handshakesLimit = 1024

/**
 * What listens for an HTTP server: TLS before it, or itself without a certificate. The HTTP server gets connections whose
 * handshake is done, so that it counts and ends the same connections that its requests come from.
 * @param limit handshakes at a time: another one takes the place of the oldest, since an honest client needs a moment
 */
export function tlsBefore(
  server: HttpServer,
  tls: { readonly cert: Buffer; readonly key: Buffer } | undefined,
  limit = handshakesLimit,
): Server {
  if (tls === undefined) return server
  const { createServer } = process.getBuiltinModule('node:tls')
  const front = createServer({ ...tls, minVersion: 'TLSv1.2', handshakeTimeout: handshakeLimit })
  // The oldest comes first.
  const handshakes = new Map<string, Socket>()
  front.on('connection', (socket: Socket) => {
    socket.on('error', () => {})
    const name = clientOf(socket)
    socket.once('close', () => {
      if (handshakes.get(name) === socket) handshakes.delete(name)
    })
    if (handshakes.size >= limit) {
      const [oldest, waiting] = handshakes.entries().next().value!
      handshakes.delete(oldest)
      waiting.destroy()
    }
    handshakes.set(name, socket)
  })
  front.on('secureConnection', (socket: TLSSocket) => {
    handshakes.delete(clientOf(socket))
    server.emit('connection', socket)
  })
  front.on('error', () => {})
  // From then on the HTTP server watches over the times that its clients take.
  front.once('listening', () => void server.emit('listening'))
  front.once('close', () => void server.close())
  return front
}

/** Tells connections apart: the socket of a handshake is another object than that of the connection inside. */
function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
