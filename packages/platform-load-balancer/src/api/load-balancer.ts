import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { OpenContext } from '@signalbox/platform-runtime'
import {
  backlog,
  clientNetwork,
  createServer,
  limitClients,
  limitConnections,
  listenError,
  listenUrl,
  memoryBudget,
  requestCounts,
  withTls,
} from '@signalbox/platform-runtime/listener'
import type { LoadBalancerSettings } from '../config/load-balancer-settings.ts'
import { type Client, exchange } from './exchange.ts'
import { healthChecks } from './health-checks.ts'
import { http1Connections } from './http1/http1-connections.ts'
import { http2Connections } from './http2/http2-connections.ts'
import type { Connection } from './request/header-lines.ts'
import { headersLimit } from './request/refuse-head.ts'
import { plainResponse, rawResponse } from './response/plain-response.ts'
import { unmetExpectation } from './response/protocol-error.ts'
import { refuse } from './response/write-response.ts'
import type { ActionChecks } from './rules/action-checks.ts'

/** The limits of a client on one HTTP/2 connection. */
const http2Limits = { streams: 100, headers: headersLimit, resets: 200 }

/** The listener of a load balancer. */
export interface LoadBalancer {
  /** Starts listening. Resolves to the URL of the listener. */
  readonly start: () => Promise<string>
  /** Stops accepting requests. Resolves when every running request is answered, or after `grace` milliseconds. */
  readonly stop: (grace: number) => Promise<void>
}

/**
 * Creates an HTTP listener that turns requests into events, and results into responses. See
 * docs/contract/load-balancer.md.
 */
export function loadBalancer(
  settings: LoadBalancerSettings,
  opened: OpenContext,
  measuredAs: string,
  checks: ActionChecks,
): LoadBalancer {
  const context = { ...opened, clock: opened.machineClock }
  const memory = memoryBudget(context.clock)
  const [checked] = settings.action.kind === 'forward' ? settings.action.targets : []
  const health =
    settings.healthCheck && checked && healthChecks(settings.name, checked, settings.healthCheck, opened)
  const http2Clients = new WeakMap<Socket, Client>()

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
  // With a maximum count, Node would silently drop headers. Only the size limit applies.
  server.maxHeadersCount = 0
  // Emits every client connection, for both HTTP/1.1 and HTTP/2.
  const connections = new EventEmitter()
  server.on('connection', socket => connections.emit('connection', socket))
  const admit = limitClients(connections, settings.limits, context.clock)
  const count = requestCounts(opened.meter, `load balancer ${measuredAs}`)
  const handle = exchange(settings, context, memory, { count, admit }, checks)
  const { note } = limitConnections(connections, rawResponse(tooMany), context.clock)
  const http1 = http1Connections(server, { memory, note, handle })
  server.on('connection', socket => http1.add(socket, connectionOf(socket)))
  const http2 =
    settings.tls &&
    http2Connections(http2Limits, context.clock, ({ request, response, mayContinue }, socket) => {
      const client = http2Clients.get(socket)!
      note(request, response)
      response.once('close', () => memory.release(response))
      if ((request.headers.expect ?? '100-continue').toLowerCase() !== '100-continue')
        refuse(request, response, unmetExpectation)
      else handle(request, response, client, mayContinue)
    })
  const front = withTls(server, settings.tls, undefined, context, socket => {
    connections.emit('connection', socket)
    // The connection was refused, so it is not served.
    if (socket.writableEnded) return
    http2Clients.set(socket, { connection: connectionOf(socket), known: undefined, end: () => {} })
    http2!.add(socket)
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
          health?.start()
          resolve(listenUrl(settings.tls === undefined ? 'http' : 'https', front))
        })
      }),
    stop: grace =>
      new Promise(resolve => {
        health?.stop()
        http1.finish()
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

function connectionOf(socket: Socket): Connection {
  const { remoteAddress = '', localPort = 0 } = socket
  // A listener for both IP versions shows IPv4 addresses with the prefix `::ffff:`.
  return {
    client: clientNetwork(remoteAddress),
    clientAddress: remoteAddress.replace(/^::ffff:(?=[\d.]+$)/, ''),
    port: localPort,
    isSecure: 'encrypted' in socket,
  }
}
