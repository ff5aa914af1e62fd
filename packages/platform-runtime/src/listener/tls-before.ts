import type { Server as HttpServer } from 'node:http'
import type { Server, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/** Milliseconds that a client has for the handshake. */
const handshakeLimit = 10_000

/**
 * What listens for an HTTP server: TLS before it, or itself without a certificate. The HTTP server gets connections whose
 * handshake is done, so that it counts and ends the same connections that its requests come from.
 * @param limit connections at a time, handshakes included
 */
export function tlsBefore(
  server: HttpServer,
  tls: { readonly cert: Buffer; readonly key: Buffer } | undefined,
  limit: number,
): Server {
  if (tls === undefined) return server
  const { createServer } = process.getBuiltinModule('node:tls')
  const front = createServer({ ...tls, minVersion: 'TLSv1.2', handshakeTimeout: handshakeLimit })
  front.maxConnections = limit
  front.on('connection', (socket: Socket) => socket.on('error', () => {}))
  front.on('secureConnection', (socket: TLSSocket) => void server.emit('connection', socket))
  front.on('error', () => {})
  // From then on the HTTP server watches over the times that its clients take.
  front.once('listening', () => void server.emit('listening'))
  front.once('close', () => void server.close())
  return front
}
