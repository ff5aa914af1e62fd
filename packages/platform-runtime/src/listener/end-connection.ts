import type { Socket } from 'node:net'

/** Milliseconds in which a refused client, which may still be sending, can read its response. */
const linger = 1000

/**
 * Sends the last data of a connection, and closes it. The client gets some time, because closing while it still sends can
 * destroy the response on its way.
 */
export function endConnection(socket: Socket, last = ''): void {
  socket.end(last)
  const cut = setTimeout(() => socket.destroy(), linger)
  socket.once('close', () => clearTimeout(cut))
}
