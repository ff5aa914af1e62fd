import type { Socket } from 'node:net'

/** Milliseconds that a refused client gets to read its response, because it may still be sending. */
const linger = 1000

/**
 * Sends the last data of a connection, and closes it. The client gets some time to read it, because closing during an
 * upload can destroy the response in transit.
 */
export function endConnection(socket: Socket, last = ''): void {
  socket.end(last)
  const cut = setTimeout(() => socket.destroy(), linger)
  socket.once('close', () => clearTimeout(cut))
}
