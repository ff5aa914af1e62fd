import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { SourceContext } from '@signalbox/platform-runtime'
import {
  backlog,
  createServer,
  endConnection,
  limitClients,
  limitConnections,
  listenError,
  listenUrl,
  memoryBudget,
  type RequestPipeline,
  requestPipeline,
  withTls,
} from '@signalbox/platform-runtime/listener'
import type { LoadBalancerSettings } from '../config/load-balancer-settings.ts'
import { type Client, exchange } from './exchange.ts'
import { healthChecks } from './health-checks.ts'
import { http2Connections } from './http2/http2-connections.ts'
import type { Connection } from './request/header-lines.ts'
import { isRtsp, keepFirstLine } from './request/is-rtsp.ts'
import { headersLimit } from './request/refuse-head.ts'
import { type PlainResponse, plainResponse, rawResponse } from './response/plain-response.ts'
import { isGone, protocolError, unsupportedMethod } from './response/protocol-error.ts'
import { expectReading, refuse } from './response/write-response.ts'

/** The maximum number of requests of one connection that run at a time, when their methods are safe. */
const pipelineLimit = 16

/** The limits of a client on one HTTP/2 connection. */
const http2Limits = { streams: 100, headers: headersLimit, resets: 200 }

/** The number of bytes of memory that are reserved for a waiting request. */
const waitingSize = 2048

/** The state of one connection. */
interface Traffic {
  readonly client: Client
  readonly pipeline: RequestPipeline
  /** The request that was started last. */
  request: IncomingMessage | undefined
  response: ServerResponse | undefined
  /**
   * Whether the last request of the connection has arrived. Later requests cannot be answered (RFC 9112,
   * 9.6).
   */
  isOver: boolean
  /** The response that ends the connection, sent after all running requests are answered. */
  last: string | undefined
}

/** The listener of a load balancer. */
export interface LoadBalancer {
  /** Starts to listen. Resolves with the URL. */
  readonly start: () => Promise<string>
  /** Accepts no more requests. Resolves when every running request is answered, or after `grace` milliseconds. */
  readonly stop: (grace: number) => Promise<void>
}

/**
 * Creates an HTTP listener that turns requests into events, and results into responses. See
 * docs/contract/load-balancer.md.
 */
export function loadBalancer(settings: LoadBalancerSettings, context: SourceContext): LoadBalancer {
  const traffic = new WeakMap<Socket, Traffic>()
  const memory = memoryBudget(() => context.clock.now())
  const handle = exchange(settings, context, memory)
  const checks = settings.healthCheck && healthChecks(settings, settings.healthCheck, context)
  const sockets = new Set<Socket>()
  const http2Clients = new WeakMap<Socket, Client>()
  let stopping = false

  const take = (
    { pipeline, isOver }: Traffic,
    request: IncomingMessage,
    response: ServerResponse,
    begin: () => void,
  ) => {
    const { socket } = request
    if (isOver) return void request.resume()
    pipeline.add({ request, response, start: begin })
    const { length } = pipeline.waiting()
    // The requests that Node has already parsed are freed only when the connection closes.
    const giveUp = () => socket.destroy()
    if (length > 0 && !memory.reserve(pipeline, length * waitingSize, giveUp)) giveUp()
  }

  const serve = (
    own: Traffic,
    request: IncomingMessage,
    response: ServerResponse,
    mayContinue?: () => void,
  ) => {
    own.request = request
    own.response = response
    response.on('close', closed)
    if (stopping) response.shouldKeepAlive = false
    if (!response.shouldKeepAlive) own.client.end()
    const seconds = admit(request, response)
    if (seconds > 0) return sendRefusal(request, response, tooManyRequests(seconds))
    handle(request, response, own.client, mayContinue)
  }

  const sendRefusal = (request: IncomingMessage, response: ServerResponse, answer: PlainResponse) => {
    traffic.get(request.socket)!.client.end()
    refuse(request, response, answer)
  }

  // All requests share this function, so that they do not need a closure each.
  function closed(this: ServerResponse): void {
    const { socket } = this.req
    const { pipeline, last } = traffic.get(socket)!
    memory.release(this)
    pipeline.finishFirst()
    if (pipeline.waiting().length === 0) memory.release(pipeline)
    if (pipeline.running().length > 0) expectReading(socket)
    else if (last !== undefined) endConnection(socket, last)
    else if (stopping) endSoon(socket)
  }

  // A connection without a complete request is closed now. Otherwise, its client could delay the stop until the
  // timeout.
  const endSoon = (socket: Socket) => {
    const own = traffic.get(socket)!
    const { pipeline, response } = own
    // The connection is already ending.
    if (own.isOver && pipeline.waiting().length === 0) return
    own.client.end()
    if (pipeline.running().length === 0) endConnection(socket)
    else if (response!.headersSent) own.last = ''
    else response!.shouldKeepAlive = false
  }

  // Earlier requests are answered first.
  const endWith = (socket: Socket, answer: PlainResponse) => {
    const own = traffic.get(socket)!
    if (own.isOver) return
    own.isOver = true
    if (own.pipeline.running().length === 0) endConnection(socket, rawResponse(answer))
    else own.last = rawResponse(answer)
  }

  const accept = (socket: Socket) => {
    const own: Traffic = {
      client: {
        connection: connectionOf(socket),
        known: undefined,
        end() {
          own.isOver = true
          own.last = undefined
          own.pipeline.drop()
        },
      },
      pipeline: requestPipeline(socket, pipelineLimit),
      request: undefined,
      response: undefined,
      isOver: false,
      last: undefined,
    }
    traffic.set(socket, own)
    sockets.add(socket)
    keepFirstLine(socket)
    // Node would destroy the socket after the last response that it knows of.
    socket.destroySoon = () => {
      if (own.last === undefined) endConnection(socket)
    }
    socket.once('close', () => {
      sockets.delete(socket)
      memory.release(own.pipeline)
      // Node does not close responses that wait behind another response, so their memory is released here.
      for (const response of own.pipeline.running()) memory.release(response)
    })
  }

  const server: Server = createServer({
    answersHalfClosed: true,
    maxHeaderSize: headersLimit,
    // The Host header is checked together with the rest of the head.
    requireHostHeader: false,
    // The body stream of a request without a body is not read. Earlier versions of Node ignore this option.
    optimizeEmptyRequests: true,
    headersTimeout: 30_000,
    requestTimeout: 60_000,
    connectionsCheckingInterval: 5_000,
  })
  // Without a maximum count, Node does not silently drop headers. Only the size limit applies.
  server.maxHeadersCount = 0
  // The source of the connections for HTTP/1.1 and HTTP/2.
  const connections = new EventEmitter()
  server.on('connection', socket => connections.emit('connection', socket))
  const admit = limitClients(connections, settings.limits, () => context.clock.now())
  const { note } = limitConnections(connections, rawResponse(tooMany), () => context.clock.now())
  const http2 =
    settings.tls &&
    http2Connections(
      http2Limits,
      () => context.clock.now(),
      ({ request, response, mayContinue }, socket) => {
        const client = http2Clients.get(socket)!
        note(request, response)
        response.once('close', () => memory.release(response))
        const seconds = admit(request, response)
        if (seconds > 0) refuse(request, response, tooManyRequests(seconds))
        else if ((request.headers.expect ?? '100-continue').toLowerCase() !== '100-continue')
          refuse(request, response, unmetExpectation)
        else handle(request, response, client, mayContinue)
      },
    )
  const front = withTls(server, settings.tls, undefined, context, socket => {
    connections.emit('connection', socket)
    // The connection was refused, so it is not served.
    if (socket.writableEnded) return
    http2Clients.set(socket, { connection: connectionOf(socket), known: undefined, end: () => {} })
    http2!.add(socket)
  })
  server.on('connection', accept)
  server.on('request', (request, response) => {
    note(request, response)
    const own = traffic.get(request.socket)!
    const { pipeline, request: before } = own
    const mayBeRtsp =
      (before === undefined || request.httpVersionMinor === 0) && pipeline.running().length === 0
    if (mayBeRtsp && isRtsp(request))
      take(own, request, response, () => sendRefusal(request, response, notHttp))
    else take(own, request, response, () => serve(own, request, response))
  })
  server.on('checkContinue', (request, response) => {
    note(request, response)
    const own = traffic.get(request.socket)!
    take(own, request, response, () => serve(own, request, response, () => response.writeContinue()))
  })
  server.on('checkExpectation', (request, response) => {
    note(request, response)
    const own = traffic.get(request.socket)!
    take(own, request, response, () => sendRefusal(request, response, unmetExpectation))
  })
  server.on('connect', (_request, socket) => {
    endWith(socket as Socket, unsupportedMethod('CONNECT'))
  })
  server.on('clientError', (error: Error, socket: Socket) => {
    if (isGone(error)) return void socket.destroy()
    // The connection is already ending.
    if (!socket.writable) return
    const own = traffic.get(socket)!
    const { pipeline, request, response } = own
    const answer = protocolError(error)
    const waiting = pipeline.waiting().at(-1)
    if (waiting !== undefined && !waiting.request.complete) {
      own.isOver = true
      waiting.start = () => sendRefusal(waiting.request, waiting.response, answer)
    } else if (waiting !== undefined || request === undefined || response === undefined || request.complete)
      endWith(socket, answer)
    else if (!response.headersSent) sendRefusal(request, response, answer)
  })

  return {
    start: () =>
      new Promise((resolve, reject) => {
        const fail = (error: NodeJS.ErrnoException) =>
          reject(
            listenError(
              `The load balancer ${settings.name}`,
              `loadBalancers.${settings.name}.port`,
              settings,
              error,
            ),
          )
        front.once('error', fail)
        const { port, host } = settings
        front.listen({ port, host, backlog }, () => {
          front.off('error', fail)
          checks?.start()
          resolve(listenUrl(settings.tls === undefined ? 'http' : 'https', front))
        })
      }),
    stop: grace =>
      new Promise(resolve => {
        stopping = true
        checks?.stop()
        for (const socket of sockets) endSoon(socket)
        http2?.finish()
        if (!front.listening) return resolve()
        const cancel = context.clock.after(grace, () => {
          server.closeAllConnections()
          http2?.destroy()
        })
        front.close(() => {
          cancel()
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}

const tooMany = plainResponse(503, 'Too many connections')
function tooManyRequests(seconds: number): PlainResponse {
  return plainResponse(429, `Too many requests. Try again after ${seconds} seconds.`, [
    ['retry-after', String(seconds)],
  ])
}

const notHttp = plainResponse(400, 'The request is not HTTP/1')
const unmetExpectation = plainResponse(417, 'The only supported expectation is 100-continue')

function connectionOf(socket: Socket): Connection {
  const { remoteAddress = '', localPort = 0 } = socket
  // A listener for both IP versions shows IPv4 addresses with the prefix `::ffff:`.
  return {
    clientAddress: remoteAddress.replace(/^::ffff:(?=[\d.]+$)/, ''),
    port: localPort,
    isSecure: 'encrypted' in socket,
  }
}
