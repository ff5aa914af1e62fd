import type { Socket } from 'node:net'

/** Milliseconds that a client gets to read why it was refused, while it may still be sending. */
const linger = 1000

/**
 * Sends what is left to say, and leaves the client. It gets some time, because a connection that is cut while it still
 * sends can cost it the answer.
 */
export function endConnection(socket: Socket, last = ''): void {
  socket.end(last)
  const cut = setTimeout(() => socket.destroy(), linger)
  socket.once('close', () => clearTimeout(cut))
}
