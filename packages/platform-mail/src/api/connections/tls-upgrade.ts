import type { Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { ownCertificates, type ReloadContext } from '@signalbox/platform-runtime/listener'
import type { MailSettings } from '../../config/mail-settings.ts'

/** Upgrades a connection to TLS. If the handshake fails, closes the connection and resolves to undefined. */
export type TlsUpgrade = (socket: Socket) => Promise<TLSSocket | undefined>

/** Upgrades connections with one certificate. */
export function tlsUpgrade(
  certificate: NonNullable<MailSettings['tls']>,
  reload: ReloadContext = {},
): TlsUpgrade & { readonly stop: () => void } {
  const waiting = new Map<string, (secured: TLSSocket) => void>()
  // The server with these certificates does not listen on a port. It gets connections that are already open.
  const certificates = ownCertificates([certificate], reload)
  const server = createServer(certificates.options)
  const stop = certificates.watch(server)
  server.on('secureConnection', secured => waiting.get(keyOf(secured))?.(secured))
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  const upgrade: TlsUpgrade = socket => {
    const key = keyOf(socket)
    // A client that disconnects during the handshake gets no further reply.
    socket.allowHalfOpen = false
    return new Promise<TLSSocket | undefined>(resolve => {
      waiting.set(key, resolve)
      socket.once('close', () => resolve(undefined))
      server.emit('connection', socket)
    }).finally(() => waiting.delete(key))
  }
  return Object.assign(upgrade, { stop })
}

/** Returns a string that identifies a connection before and after the upgrade. */
function keyOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`
}
