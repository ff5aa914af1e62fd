import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import {
  endConnection,
  type MemoryBudget,
  type RequestPipeline,
  requestPipeline,
} from '@signalbox/platform-runtime/listener'
import type { Client, Exchange } from '../exchange.ts'
import type { Connection } from '../request/header-lines.ts'
import { type PlainResponse, rawResponse } from '../response/plain-response.ts'
import { isGone, protocolError, unmetExpectation, unsupportedMethod } from '../response/protocol-error.ts'
import { expectReading, refuse } from '../response/write-response.ts'

/** The HTTP/1 connections of a listener. */
export interface Http1Connections {
  /** Serves a connection. */
  readonly add: (socket: Socket, connection: Connection) => void
  /** Stops accepting requests. Running requests still get their responses. */
  readonly finish: () => void
}

/** The maximum number of requests with safe methods that one connection runs at a time. */
const pipelineLimit = 16

/** Bytes of memory that are reserved for each waiting request. */
const waitingSize = 2048

/** The state of one connection. */
interface Traffic {
  readonly client: Client
  readonly pipeline: RequestPipeline
  /** The latest request that was started. */
  request: IncomingMessage | undefined
  response: ServerResponse | undefined
  /** Whether the connection has received its last request. Later requests cannot be answered (RFC 9112, 9.6). */
  isOver: boolean
  /** The response that ends the connection, sent after all running requests are answered. */
  last: string | undefined
}

/** The functions that serve the requests of all connections, and the memory that they share. */
interface Http1Options {
  readonly memory: MemoryBudget
  /** Records that a request has arrived on a connection. */
  readonly note: (request: IncomingMessage, response: ServerResponse) => void
  readonly handle: Exchange
}

/** Serves HTTP/1 on the connections of a server. The requests of each connection form a pipeline. */
export function http1Connections(server: Server, { memory, note, handle }: Http1Options): Http1Connections {
  const traffic = new WeakMap<Socket, Traffic>()
  const sockets = new Set<Socket>()
  let stopping = false

  const take = (request: IncomingMessage, response: ServerResponse, start: () => void) => {
    note(request, response)
    const { socket } = request
    const { pipeline, isOver } = traffic.get(socket)!
    if (isOver) return void request.resume()
    pipeline.add({ request, response, start })
    const { length } = pipeline.waiting
    // The requests that Node has already parsed are freed only when the connection closes.
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

  function closed(this: ServerResponse): void {
    const { socket } = this.req
    const { pipeline, last } = traffic.get(socket)!
    memory.release(this)
    pipeline.finishFirst()
    if (pipeline.waiting.length === 0) memory.release(pipeline)
    if (pipeline.running.length > 0) expectReading(socket)
    else if (last !== undefined) endConnection(socket, last)
    else if (stopping) endSoon(socket)
  }

  // A connection without a complete request is closed now. Otherwise, its client could delay the stop until the
  // timeout.
  const endSoon = (socket: Socket) => {
    const own = traffic.get(socket)!
    const { pipeline, response } = own
    // The connection is already ending.
    if (own.isOver && pipeline.waiting.length === 0) return
    own.client.end()
    if (pipeline.running.length === 0) endConnection(socket)
    else if (response!.headersSent) own.last = ''
    else response!.shouldKeepAlive = false
  }

  // Earlier requests are answered first.
  const endWith = (socket: Socket, answer: PlainResponse) => {
    const own = traffic.get(socket)!
    if (own.isOver) return
    own.isOver = true
    if (own.pipeline.running.length === 0) endConnection(socket, rawResponse(answer))
    else own.last = rawResponse(answer)
  }

  const add = (socket: Socket, connection: Connection) => {
    const own: Traffic = {
      client: {
        connection,
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
    // Otherwise, Node would destroy the socket after the last response that it knows about.
    socket.destroySoon = () => {
      if (own.last === undefined) endConnection(socket)
    }
    socket.once('close', () => {
      sockets.delete(socket)
      memory.release(own.pipeline)
      // Node does not close responses that wait behind another response, so their memory is released here.
      for (const response of own.pipeline.running) memory.release(response)
    })
  }

  server.on('request', (request, response) => {
    take(request, response, () => serve(request, response))
  })
  server.on('checkContinue', (request, response) => {
    take(request, response, () => serve(request, response, () => response.writeContinue()))
  })
  server.on('checkExpectation', (request, response) => {
    take(request, response, () => sendRefusal(request, response, unmetExpectation))
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
    const waiting = pipeline.waiting.at(-1)
    if (waiting !== undefined && !waiting.request.complete) {
      own.isOver = true
      waiting.start = () => sendRefusal(waiting.request, waiting.response, answer)
    } else if (waiting !== undefined || request === undefined || response === undefined || request.complete)
      endWith(socket, answer)
    else if (!response.headersSent) sendRefusal(request, response, answer)
  })

  return {
    add,
    finish() {
      stopping = true
      for (const socket of sockets) endSoon(socket)
    },
  }
}
