import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The number of response bytes that a client may leave unread before its next request starts. */
const unreadLimit = 1024 * 1024

/** A request that has arrived, and the function that starts it. */
interface PipelinedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  start: () => void
}

/**
 * The pipelined requests of one connection, which start in order. Requests with safe methods may run side by side;
 * any other request runs alone (RFC 9112, 9.3.2). While requests wait, nothing more is read from the connection.
 */
export interface RequestPipeline {
  /** The responses of the requests that were started but not yet answered. */
  readonly running: readonly ServerResponse[]
  /** The waiting requests, in order. */
  readonly waiting: readonly PipelinedRequest[]
  readonly add: (turn: PipelinedRequest) => void
  /** Ends the first running request. Must be called when its response has been sent. */
  readonly finishFirst: () => void
  /** Drops all waiting requests. */
  readonly drop: () => void
}

/**
 * Keeps the pipelined requests of one connection in order.
 * @param atATime the maximum number of requests with safe methods that run side by side
 */
export function requestPipeline(socket: Socket, atATime: number): RequestPipeline {
  const running: ServerResponse[] = []
  const waiting: PipelinedRequest[] = []
  let isAlone = false

  const mayBegin = (request: IncomingMessage): boolean => {
    if (running.length === 0) return true
    if (isAlone || running.length >= atATime || !isSafe(request)) return false
    let unread = 0
    for (const response of running) unread += response.writableLength
    return unread < unreadLimit
  }

  const begin = ({ request, response, start }: PipelinedRequest): void => {
    running.push(response)
    isAlone = !isSafe(request)
    start()
  }

  // Node's parser resumes the socket after each message, even when other code paused it.
  socket.on('resume', () => {
    if (waiting.length > 0) socket.pause()
  })

  return {
    running,
    waiting,
    add(next) {
      if (waiting.length === 0 && mayBegin(next.request)) return begin(next)
      waiting.push(next)
      socket.pause()
    },
    finishFirst() {
      running.shift()
      if (socket.destroyed) waiting.length = 0
      if (waiting.length === 0) return
      while (waiting.length > 0 && mayBegin(waiting[0]!.request)) begin(waiting.shift()!)
      if (waiting.length === 0) socket.resume()
    },
    drop() {
      if (waiting.length === 0) return
      waiting.length = 0
      socket.resume()
    },
  }
}

/** Serves the requests of each connection in order. */
export function serveInOrder(serve: RequestListener): RequestListener {
  const all = new WeakMap<Socket, RequestPipeline>()
  return (request, response) => {
    const own = all.get(request.socket) ?? requestPipeline(request.socket, 1)
    all.set(request.socket, own)
    response.once('close', own.finishFirst)
    own.add({ request, response, start: () => serve(request, response) })
  }
}

/**
 * Returns whether a request has a safe method (RFC 9110, 9.2.1) and no body, because a body could turn out to be
 * malformed.
 */
function isSafe({ method, headers }: IncomingMessage): boolean {
  return (
    (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'TRACE') &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  )
}
