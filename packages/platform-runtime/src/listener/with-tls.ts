import type { Server as HttpServer } from 'node:http'
import type { Server, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { TlsFiles } from '../fields/tls-files.ts'
import { ownCertificates, type ReloadContext } from './own-certificates.ts'

/** Milliseconds that a client has for the handshake. */
const handshakeLimit = 10_000

/** The maximum number of handshakes at a time. */
const handshakesLimit = 1024

/**
 * Returns the server that listens. With a certificate, it is a TLS server in front of the HTTP server. Otherwise it is
 * the HTTP server itself. The HTTP server gets only connections with a finished handshake, so that it counts and ends
 * the connections of its own requests.
 * @param limit the maximum number of handshakes at a time. A further handshake replaces the oldest, because an honest
 * client needs only a moment.
 * @param http2 takes the connections whose clients select HTTP/2. Without it, the server offers only HTTP/1.1
 */
export function withTls(
  server: HttpServer,
  tls: TlsFiles | readonly TlsFiles[] | undefined,
  limit = handshakesLimit,
  reload: ReloadContext = {},
  http2?: (socket: TLSSocket) => void,
): Server {
  if (tls === undefined) return server
  const { createServer } = process.getBuiltinModule('node:tls')
  const certificates = ownCertificates('cert' in tls ? [tls] : tls, reload)
  const front = createServer({
    ...certificates.options,
    ALPNProtocols: http2 === undefined ? ['http/1.1'] : ['h2', 'http/1.1'],
    handshakeTimeout: handshakeLimit,
  })
  let stopWatching = () => {}
  front.once('listening', () => {
    stopWatching = certificates.watch(front)
  })
  front.once('close', () => stopWatching())
  // The handshakes in progress, the oldest first.
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
    if (http2 !== undefined && socket.alpnProtocol === 'h2') http2(socket)
    else server.emit('connection', socket)
  })
  front.on('error', () => {})
  // The HTTP server starts to enforce its time limits when it gets this event.
  front.once('listening', () => void server.emit('listening'))
  front.once('close', () => void server.close())
  return front
}

/**
 * Returns a text that identifies a connection. A socket cannot identify it, because the handshake and the HTTP server
 * use different socket objects.
 */
function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
