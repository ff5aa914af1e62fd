import type * as Http from 'node:http'

// An import would load everything that `node:http` re-exports, including a whole HTTP client and two other protocols.
// This takes 13 MB and 20 ms.
const http: typeof Http = process.getBuiltinModule('node:http')

/**
 * Milliseconds that a connection may be idle. Responses announce this limit to clients. With Node's default of five
 * seconds, a client that sends every few seconds often sends just when its connection ends, and gets a reset instead of
 * an answer.
 */
const idleLimit = 60_000

export interface ListenerOptions extends Http.ServerOptions {
  /**
   * Whether a client that half-closes its connection after a request gets its response. If false, the platform treats
   * such a client as disconnected. A server with long polls sets it to false, so that it notices when a waiting client
   * has gone.
   */
  readonly answersHalfClosed: boolean
}

/**
 * Creates a server of Node's HTTP module that no client can crash. Node removes its error listeners from sockets that
 * it detaches (`connect`, `upgrade`), and a server emits `error` when the system cannot accept a connection. An error
 * without a listener ends the process. The sockets with such errors are already closed, so the listeners do nothing.
 */
export function createServer(
  { answersHalfClosed, ...options }: ListenerOptions,
  listener?: Http.RequestListener,
): Http.Server {
  const server = http.createServer({ keepAliveTimeout: idleLimit, ...options }, listener)
  // Node does not document this option.
  Object.assign(server, { httpAllowHalfOpen: answersHalfClosed })
  server.on('error', () => {})
  server.on('connection', socket => socket.on('error', () => {}))
  return server
}

/** The table `STATUS_CODES` of Node's HTTP module. */
export const statusCodes: typeof Http.STATUS_CODES = http.STATUS_CODES
