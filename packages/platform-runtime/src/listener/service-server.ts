import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '@signalbox/core'
import type { ListenerLimitsConfig } from '../fields/limits.ts'
import type { CountRequest } from '../metrics/request-counts.ts'
import { endConnection } from './end-connection.ts'
import { createServer, type ListenerOptions } from './http.ts'
import { limitClients } from './limit-clients.ts'
import { limitConnections } from './limit-connections.ts'
import { serveInOrder } from './request-pipeline.ts'

export interface ServiceOptions extends Pick<ListenerOptions, 'answersHalfClosed'> {
  /** An ASCII sentence for clients that do not speak HTTP. */
  readonly explanation: string
  /** The limits for each client address, or undefined for no limits. */
  readonly limits?: ListenerLimitsConfig | undefined
  readonly clock: Pick<Clock, 'now'>
  readonly count: CountRequest
  /** Refuses a request from a client that has sent too many. The client may try again after `seconds`. */
  readonly throttle: (request: IncomingMessage, response: ServerResponse, seconds: number) => void
}

/**
 * Creates an HTTP server for clients of a service. It limits its connections and serves the requests of each in order.
 * A client that does not speak HTTP gets a 400 with the explanation.
 */
export function serviceServer(
  { answersHalfClosed, explanation, limits, clock, count, throttle }: ServiceOptions,
  serve: RequestListener,
): Server {
  const body = `${explanation}\n`
  const notHttp = `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const server = createServer({ requestTimeout: 60_000, answersHalfClosed })
  const admit = limitClients(server, limits, clock)
  server.on(
    'request',
    serveInOrder((request, response) => {
      count(response)
      const seconds = admit(request, response)
      if (seconds === 0) return serve(request, response)
      throttle(request, response, seconds)
      // Discards the rest of the request.
      request.resume()
    }),
  )
  limitConnections(server)
  // Node would destroy the socket when the last response is sent, while the client may still be sending.
  server.on('connection', socket => {
    socket.destroySoon = () => endConnection(socket)
  })
  server.on('clientError', (_error, socket) => {
    if (socket.writable) endConnection(socket as Socket, notHttp)
  })
  server.on('connect', (_request, socket) => endConnection(socket as Socket, notHttp))
  return server
}
