import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Bytes of answers that a client may leave unread before another of its requests is begun. */
const unreadLimit = 1024 * 1024

/** A request that has come, and what is done when it is its turn. */
interface PipelinedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  start: () => void
}

/**
 * The requests of one connection, each begun when it is its turn. Those with safe methods may run side by side; any
 * other waits until all before it are answered, and is waited for by all behind it (RFC 9112, 9.3.2). While requests
 * wait, nothing more is read: of what a client sends without reading, no more is taken than one piece.
 */
export interface RequestPipeline {
  /** The answers to the requests that are begun, as long as they are not sent. */
  readonly running: () => readonly ServerResponse[]
  /** The requests that wait, in order. */
  readonly waiting: () => readonly PipelinedRequest[]
  readonly add: (turn: PipelinedRequest) => void
  /** Is called when the answer to the request that was begun first is sent. */
  readonly finishFirst: () => void
  /** Forgets all that wait: none of them is begun. */
  readonly drop: () => void
}

/**
 * The requests of one connection.
 * @param atATime how many requests with safe methods may run side by side
 */
export function requestPipeline(socket: Socket, atATime: number): RequestPipeline {
  const open: ServerResponse[] = []
  let isAlone = false
  let waiting: PipelinedRequest[] = []

  const mayBegin = (request: IncomingMessage): boolean => {
    if (open.length === 0) return true
    if (isAlone || open.length >= atATime || !isSafe(request)) return false
    let unread = 0
    for (const response of open) unread += response.writableLength
    return unread < unreadLimit
  }

  const begin = ({ request, response, start }: PipelinedRequest): void => {
    open.push(response)
    isAlone = !isSafe(request)
    start()
  }

  // Node's parser resumes the socket after each message, whatever has paused it.
  socket.on('resume', () => {
    if (waiting.length > 0) socket.pause()
  })

  return {
    running: () => open,
    waiting: () => waiting,
    add(next) {
      if (waiting.length === 0 && mayBegin(next.request)) return begin(next)
      waiting.push(next)
      socket.pause()
    },
    finishFirst() {
      open.shift()
      if (socket.destroyed) waiting = []
      if (waiting.length === 0) return
      while (waiting.length > 0 && mayBegin(waiting[0]!.request)) begin(waiting.shift()!)
      if (waiting.length === 0) socket.resume()
    },
    drop() {
      if (waiting.length === 0) return
      waiting = []
      socket.resume()
    },
  }
}

/** Serves the requests of each connection one after another, in their order. */
export function serveInOrder(serve: RequestListener): RequestListener {
  const all = new WeakMap<Socket, RequestPipeline>()
  return (request, response) => {
    const own = all.get(request.socket) ?? requestPipeline(request.socket, 1)
    all.set(request.socket, own)
    response.once('close', own.finishFirst)
    own.add({ request, response, start: () => serve(request, response) })
  }
}

/** Whether a request changes nothing (RFC 9110, 9.2.1). One with a body may yet turn out to be the last. */
function isSafe({ method, headers }: IncomingMessage): boolean {
  return (
    (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'TRACE') &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  )
}
