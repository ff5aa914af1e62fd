import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** The way in which a connection ends. */
export type Break = 'reset' | 'half-close' | 'close'

/** Ends a connection in the given way, as clients and networks do. */
export function breakOff(socket: Socket, how: Break): void {
  if (how === 'reset') socket.resetAndDestroy()
  else if (how === 'half-close') socket.end()
  else socket.destroy()
}

/** Returns a network that breaks each connection after a number of bytes from the client. */
export async function breakingNetwork(to: string, bytes: number, how: Break) {
  const { hostname, port } = new URL(to)
  const network = createServer({ allowHalfOpen: true }, client => {
    const server = connect({ port: Number(port), host: hostname, allowHalfOpen: true, noDelay: true })
    let left = bytes
    client.on('data', data => {
      const passed = data.subarray(0, left)
      left -= passed.length
      if (passed.length > 0) server.write(passed)
      // The pause lets forwarded bytes arrive before the connection breaks.
      if (left === 0) setImmediate(() => breakOff(server, how))
    })
    server.on('data', data => client.write(data))
    server.on('end', () => client.destroy())
    server.on('close', () => client.destroy())
    client.on('close', () => server.destroy())
    for (const socket of [client, server]) socket.on('error', () => {})
  })
  network.listen(0, '127.0.0.1')
  await once(network, 'listening')
  return {
    port: (network.address() as { port: number }).port,
    [Symbol.asyncDispose]: () => new Promise<void>(resolve => network.close(() => resolve())),
  }
}
