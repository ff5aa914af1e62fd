import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request that an endpoint received, with its whole body. */
export interface ReceivedRequest {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/**
 * Starts a server on a free port, for tests of functions that run elsewhere. It keeps the requests that it receives.
 */
export async function endpointServer(answer: (response: ServerResponse, request: ReceivedRequest) => void) {
  const received: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  const listener: RequestListener = async (request, response) => {
    const { url = '', headers } = request
    const whole = { url, headers, body: await text(request) }
    received.push(whole)
    answer(response, whole)
  }
  const server = createServer(listener)
  server.on('connection', socket => sockets.add(socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    /** Returns the number of connections so far. */
    get connections() {
      return sockets.size
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
