import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { methods } from '@signalbox/load-balancer/contract'
import type { LoadBalancerSettings } from '../../config/settings.ts'
import { createServer } from '../../http.ts'
import { leave } from '../leave.ts'
import type { Source, SourceContext } from '../source.ts'
import { unavailablePort } from '../unavailable-port.ts'
import { type Client, exchange } from './exchange.ts'
import type { Connection } from './header-lines.ts'
import { healthChecks } from './health-checks.ts'
import { type PlainResponse, plainResponse, rawResponse } from './plain-response.ts'
import { isGone, protocolError } from './protocol-error.ts'
import { headersLimit } from './refuse-head.ts'
import { expectReading, refuse } from './write-response.ts'

/**
 * Requests of one connection that are worked on at a time; a client that sends more of them waits. What has arrived in
 * one piece is begun as a whole.
 */
const pipelineLimit = 16

/** Connections at a time. */
const connectionLimit = 4096

/** What is under way on one connection. */
interface Traffic {
  readonly client: Client
  open: number
  /** The request that came last, which is the only one whose body may still be on its way. */
  request: IncomingMessage | undefined
  response: ServerResponse | undefined
  /** Goes out when everything before it is answered. */
  last: PlainResponse | undefined
}

/** An HTTP listener that makes events of requests, and responses of what the function answers. Contract D. */
export function loadBalancer(settings: LoadBalancerSettings, context: SourceContext): Source {
  const name = `load balancer ${settings.name}`
  const traffic = new WeakMap<Socket, Traffic>()
  const handle = exchange(settings, context)
  const checks = settings.healthCheck && healthChecks(settings, settings.healthCheck, context)
  const sockets = new Set<Socket>()
  let stopping = false

  const serve = (request: IncomingMessage, response: ServerResponse, mayContinue?: () => void) => {
    const { socket } = request
    const own = traffic.get(socket)!
    if (own.client.over) return void request.resume()
    own.request = request
    own.response = response
    if (++own.open === pipelineLimit) socket.pause()
    if (stopping) response.shouldKeepAlive = false
    own.client.over = !response.shouldKeepAlive
    response.on('close', closed)
    handle(request, response, own.client, mayContinue)
  }

  // One function for all: a request need not bring its own.
  function closed(this: ServerResponse): void {
    const { socket } = this.req
    const own = traffic.get(socket)!
    if (own.open-- === pipelineLimit) socket.resume()
    if (own.open > 0) expectReading(socket)
    else if (own.last !== undefined) leave(socket, rawResponse(own.last))
    else if (stopping) endSoon(socket)
  }

  // A client that has said nothing yet, or not enough for a request, would keep a box that stops until its time is up.
  const endSoon = (socket: Socket) => {
    const { client, open, response } = traffic.get(socket)!
    // Its end is on its way.
    if (client.over) return
    client.over = open === 0 || !response!.headersSent
    if (open === 0) leave(socket)
    else if (client.over) response!.shouldKeepAlive = false
  }

  // Requests that came before it are answered first.
  const endWith = (socket: Socket, answer: PlainResponse) => {
    const own = traffic.get(socket)!
    if (own.client.over) return
    own.client.over = true
    if (own.open === 0) leave(socket, rawResponse(answer))
    else own.last = answer
  }

  const server: Server = createServer({
    maxHeaderSize: headersLimit,
    // Is looked at with everything else in the head.
    requireHostHeader: false,
    // A request without a body has no stream that must come to its end: nobody reads it. Earlier versions of Node do
    // not know this, and let it end.
    optimizeEmptyRequests: true,
    keepAliveTimeout: 60_000,
    headersTimeout: 30_000,
    requestTimeout: 60_000,
    connectionsCheckingInterval: 5_000,
  })
  // What does not fit into the size is refused, and nothing is dropped in silence.
  server.maxHeadersCount = 0
  server.maxConnections = connectionLimit
  server.on('connection', socket => {
    const client = { connection: connectionOf(socket), known: undefined, over: false }
    traffic.set(socket, { client, open: 0, request: undefined, response: undefined, last: undefined })
    sockets.add(socket)
    // Node would destroy it as soon as the last answer is on its way.
    socket.destroySoon = () => leave(socket)
    // Node's parser resumes the socket after each message, whoever has paused it.
    socket.on('resume', () => {
      if (traffic.get(socket)!.open >= pipelineLimit) socket.pause()
    })
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', (request, response) => serve(request, response))
  server.on('checkContinue', (request, response) => serve(request, response, () => response.writeContinue()))
  server.on('checkExpectation', (request, response) => {
    const { client } = traffic.get(request.socket)!
    if (client.over) return void request.resume()
    client.over = true
    refuse(request, response, plainResponse(417, 'The only expectation that can be met is 100-continue'))
  })
  server.on('connect', (_request, socket) => {
    const answer = plainResponse(405, 'The method CONNECT is not supported', [['allow', methods.join(', ')]])
    endWith(socket as Socket, answer)
  })
  server.on('clientError', (error: Error, socket: Socket) => {
    if (isGone(error)) return void socket.destroy()
    // It has been left, and has some time yet.
    if (!socket.writable) return
    const { client, request, response } = traffic.get(socket)!
    const answer = protocolError(error)
    if (request === undefined || response === undefined || request.complete) endWith(socket, answer)
    else if (!response.headersSent) {
      client.over = true
      refuse(request, response, answer)
    }
  })

  return {
    name,
    start: () =>
      new Promise((resolve, reject) => {
        const fail = (error: NodeJS.ErrnoException) =>
          reject(unavailablePort(`The load balancer ${settings.name}`, settings, error))
        server.once('error', fail)
        server.listen(settings.port, settings.host, () => {
          server.off('error', fail)
          checks?.start()
          const { address, port, family } = server.address() as AddressInfo
          resolve({ source: name, url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}` })
        })
      }),
    stop: grace =>
      new Promise(resolve => {
        stopping = true
        checks?.stop()
        for (const socket of sockets) endSoon(socket)
        if (!server.listening) return resolve()
        const cancel = context.clock.after(grace, () => server.closeAllConnections())
        server.close(() => {
          cancel()
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}

function connectionOf({ remoteAddress = '', localPort = 0 }: Socket): Connection {
  // How an IPv4 client looks to a listener for both versions.
  return { clientAddress: remoteAddress.replace(/^::ffff:(?=[\d.]+$)/, ''), port: localPort }
}
