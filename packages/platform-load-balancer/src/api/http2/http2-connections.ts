import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { Clock } from '@signalbox/core'
import { tokenBuckets } from '@signalbox/platform-runtime/listener'
import { checkedConnection, fieldCheck } from './field-check.ts'
import { type Http2Exchange, http2Exchange } from './http2-exchange.ts'

/** The HTTP/2 connections of a listener. */
export interface Http2Connections {
  /** Serves a connection whose client selected `h2`. */
  readonly add: (socket: TLSSocket) => void
  /** Stops accepting requests. Running requests still get their responses. */
  readonly finish: () => void
  readonly destroy: () => void
}

/** The limits of a client on one connection. */
export interface Http2Limits {
  /** The maximum number of open requests at a time. */
  readonly streams: number
  /** The maximum size of a request's header list in bytes, as RFC 9113, 6.5.2 counts them. */
  readonly headers: number
  /** The number of requests that a client may reset within ten seconds before they are answered (CVE-2023-44487). */
  readonly resets: number
}

/** The number of bytes that each header field adds to the size of its name and value. */
const bytesOfLine = 32

/** Milliseconds that a connection may be idle: the same limit as for HTTP/1.1. */
const idleLimit = 60_000

/** The error code ENHANCE_YOUR_CALM of RFC 9113, 7. */
const tooBusy = 11

/**
 * Serves HTTP/2 on connections that another server has accepted.
 * @param serve called for each request
 */
export function http2Connections(
  limits: Http2Limits,
  clock: Pick<Clock, 'now'>,
  serve: (exchange: Http2Exchange, socket: TLSSocket) => void,
): Http2Connections {
  const sessions = new Set<ServerHttp2Session>()
  const server = process.getBuiltinModule('node:http2').createServer({
    settings: {
      enablePush: false,
      maxConcurrentStreams: limits.streams,
      maxHeaderListSize: limits.headers,
    },
    maxHeaderListPairs: Math.floor(limits.headers / bytesOfLine),
  })
  server.on('sessionError', () => {})

  const begin = (session: ServerHttp2Session, socket: TLSSocket, malformed: Set<number>) => {
    let open = 0
    const resets = tokenBuckets({ amount: limits.resets, window: 10_000 }, clock)
    sessions.add(session)
    session.on('error', () => {})
    session.once('close', () => sessions.delete(session))
    session.setTimeout(idleLimit, () => {
      if (open === 0) session.close()
    })
    session.on('stream', (stream: ServerHttp2Stream, _fields: object, _flags: number, raw: string[]) => {
      open++
      stream.once('close', () => {
        open--
        if ((!stream.aborted && stream.rstCode === 0) || session.destroyed) return
        resets.take('')
        if (resets.delay('') === 0) return
        session.goaway(tooBusy)
        session.destroy()
      })
      // A client that has not acknowledged the server's settings may send larger headers.
      const refusal = malformed.has(stream.id!) ? 400 : sizeOf(raw) > limits.headers ? 431 : undefined
      // Earlier ones are of streams that Node has refused, and of trailers, which are dropped.
      for (const each of malformed) if (each <= stream.id!) malformed.delete(each)
      if (refusal === undefined) return serve(http2Exchange(stream, raw, socket), socket)
      stream.on('error', () => {})
      stream.respond({ ':status': refusal }, { endStream: true })
      stream.close()
    })
  }

  return {
    add(socket) {
      /** The streams whose header fields are malformed. */
      const malformed = new Set<number>()
      const take = (session: ServerHttp2Session) => begin(session, socket, malformed)
      const checked = checkedConnection(
        socket,
        fieldCheck(stream => malformed.add(stream)),
      )
      // Node creates the session before this call returns.
      server.once('session', take)
      server.emit('connection', checked)
      server.off('session', take)
    },
    finish() {
      for (const session of sessions) session.close()
    },
    destroy() {
      for (const session of sessions) session.destroy()
    },
  }
}

/** Returns the size of a header list in bytes, as RFC 9113, 6.5.2 counts them. */
function sizeOf(raw: readonly string[]): number {
  let size = 0
  for (let at = 0; at < raw.length; at += 2) size += raw[at]!.length + raw[at + 1]!.length + bytesOfLine
  return size
}
