import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Source, SourceContext } from '@signalbox/platform-runtime'
import {
  backlog,
  createServer,
  endConnection,
  limitConnections,
  listenError,
  listenUrl,
  memoryBudget,
  type RequestPipeline,
  requestPipeline,
} from '@signalbox/platform-runtime/listener'
import type { LoadBalancerSettings } from '../config/load-balancer-settings.ts'
import { type Client, exchange } from './exchange.ts'
import type { Connection } from './header-lines.ts'
import { healthChecks } from './health-checks.ts'
import { isRtsp, keepBeginning } from './is-rtsp.ts'
import { type PlainResponse, plainResponse, rawResponse } from './plain-response.ts'
import { isGone, protocolError, unsupportedMethod } from './protocol-error.ts'
import { headersLimit } from './refuse-head.ts'
import { expectReading, refuse } from './write-response.ts'

/** Requests of one connection that are worked on at a time, provided that their methods are safe. */
const pipelineLimit = 16

/** Bytes that are counted for a request that has come, and waits for those before it. */
const waitingSize = 2048

/** What is under way on one connection. */
interface Traffic {
  readonly client: Client
  readonly pipeline: RequestPipeline
  /** The request that was begun last. */
  request: IncomingMessage | undefined
  response: ServerResponse | undefined
  /** Whether its last request has come. Nobody could be told what became of another. RFC 9112, 9.6. */
  isOver: boolean
  /** Goes out when all that is begun is answered, as the end of the connection. */
  last: string | undefined
}

/** An HTTP listener that makes events of requests, and responses of what the function answers. Contract D. */
export function loadBalancer(settings: LoadBalancerSettings, context: SourceContext): Source {
  const name = `load balancer ${settings.name}`
  const traffic = new WeakMap<Socket, Traffic>()
  const memory = memoryBudget(() => context.clock.now())
  const handle = exchange(settings, context, memory)
  const checks = settings.healthCheck && healthChecks(settings, settings.healthCheck, context)
  const sockets = new Set<Socket>()
  let stopping = false

  const take = (request: IncomingMessage, response: ServerResponse, begin: () => void) => {
    const { socket } = request
    const { pipeline, isOver } = traffic.get(socket)!
    if (isOver) return void request.resume()
    pipeline.add({ request, response, start: begin })
    const { length } = pipeline.waiting()
    // Node keeps what has come until the connection ends, whether it is wanted or not.
    const giveUp = () => socket.destroy()
    if (length > 0 && !memory.reserve(pipeline, length * waitingSize, giveUp)) giveUp()
  }

  const serve = (request: IncomingMessage, response: ServerResponse, mayContinue?: () => void) => {
    const own = traffic.get(request.socket)!
    own.request = request
    own.response = response
    response.on('close', closed)
    if (stopping) response.shouldKeepAlive = false
    if (!response.shouldKeepAlive) own.client.end()
    handle(request, response, own.client, mayContinue)
  }

  const sendRefusal = (request: IncomingMessage, response: ServerResponse, answer: PlainResponse) => {
    traffic.get(request.socket)!.client.end()
    refuse(request, response, answer)
  }

  // One function for all: a request need not bring its own.
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

  // A client that has said nothing yet, or not enough for a request, would keep a box that stops until its time is up.
  const endSoon = (socket: Socket) => {
    const own = traffic.get(socket)!
    const { pipeline, response } = own
    // Its end is on its way.
    if (own.isOver && pipeline.waiting().length === 0) return
    own.client.end()
    if (pipeline.running().length === 0) endConnection(socket)
    else if (response!.headersSent) own.last = ''
    else response!.shouldKeepAlive = false
  }

  // Requests that came before it are answered first.
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
    keepBeginning(socket)
    // Node would destroy it as soon as the last answer of which it knows is on its way.
    socket.destroySoon = () => {
      if (own.last === undefined) endConnection(socket)
    }
    socket.once('close', () => {
      sockets.delete(socket)
      memory.release(own.pipeline)
      // Node closes no response that waits behind another.
      for (const response of own.pipeline.running()) memory.release(response)
    })
  }

  const server: Server = createServer({
    maxHeaderSize: headersLimit,
    // Is looked at with everything else in the head.
    requireHostHeader: false,
    // A request without a body has no stream that must come to its end: nobody reads it. Earlier versions of Node do
    // not know this, and let it end.
    optimizeEmptyRequests: true,
    headersTimeout: 30_000,
    requestTimeout: 60_000,
    connectionsCheckingInterval: 5_000,
  })
  // What does not fit into the size is refused, and nothing is dropped in silence.
  server.maxHeadersCount = 0
  // A client that ends its side has still asked.
  Object.assign(server, { httpAllowHalfOpen: true })
  const { note } = limitConnections(server, rawResponse(tooMany), () => context.clock.now())
  server.on('connection', accept)
  server.on('request', (request, response) => {
    const { pipeline, request: before } = traffic.get(request.socket)!
    const mayBeRtsp =
      (before === undefined || request.httpVersionMinor === 0) && pipeline.running().length === 0
    if (mayBeRtsp && isRtsp(request)) take(request, response, () => sendRefusal(request, response, notHttp))
    else take(request, response, () => serve(request, response))
  })
  server.on('checkContinue', (request, response) => {
    note(request, response)
    take(request, response, () => serve(request, response, () => response.writeContinue()))
  })
  server.on('checkExpectation', (request, response) => {
    note(request, response)
    take(request, response, () => sendRefusal(request, response, unmetExpectation))
  })
  server.on('connect', (_request, socket) => {
    endWith(socket as Socket, unsupportedMethod('CONNECT'))
  })
  server.on('clientError', (error: Error, socket: Socket) => {
    if (isGone(error)) return void socket.destroy()
    // It has been left, and has some time yet.
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
    name,
    start: () =>
      new Promise((resolve, reject) => {
        const fail = (error: NodeJS.ErrnoException) =>
          reject(listenError(`The load balancer ${settings.name}`, settings, error))
        server.once('error', fail)
        server.listen(settings.port, settings.host, backlog, () => {
          server.off('error', fail)
          checks?.start()
          resolve({ source: name, url: listenUrl('http', server) })
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

const tooMany = plainResponse(503, 'There are too many connections')
const notHttp = plainResponse(400, 'The request is not of HTTP/1')
const unmetExpectation = plainResponse(417, 'The only expectation that can be met is 100-continue')

function connectionOf({ remoteAddress = '', localPort = 0 }: Socket): Connection {
  // How an IPv4 client looks to a listener for both versions.
  return { clientAddress: remoteAddress.replace(/^::ffff:(?=[\d.]+$)/, ''), port: localPort }
}
