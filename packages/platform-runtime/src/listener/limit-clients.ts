import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '@signalbox/core'
import type { ListenerLimitsConfig } from '../fields/limits.ts'
import { clientNetwork } from './client-network.ts'
import { usageLimits } from './usage-limits.ts'

/**
 * Counts a request. Returns 0 if the request may be served, and otherwise the seconds after which its client may try
 * again.
 */
export type AdmitRequest = (request: IncomingMessage, response: ServerResponse) => number

/** The response to a connection above the limit. It tells the client to try again. */
const tooMany =
  'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/**
 * Limits what each address may use of a server. It refuses connections itself, and leaves the answer to a request to
 * the caller.
 * @param limits undefined for no limits
 */
export function limitClients(
  server: EventEmitter,
  limits: ListenerLimitsConfig | undefined,
  clock: Pick<Clock, 'now'>,
): AdmitRequest {
  if (limits === undefined) return () => 0
  if (limits.connections !== undefined) limitAddresses(server, limits.connections)
  const usage = usageLimits(limits, clock)
  // The number of bytes of each socket that have already been counted. Several requests may share a socket.
  const counted = new WeakMap<Socket, number>()
  return (request, response) => {
    const { socket } = request
    const client = clientNetwork(socket.remoteAddress ?? '')
    const count = () => {
      usage.useBytes(client, socket.bytesRead - (counted.get(socket) ?? 0))
      counted.set(socket, socket.bytesRead)
    }
    // A request that is larger than the limit is served, and later requests have to wait.
    const delay = usage.delay(client)
    if (limits.bytes !== undefined) {
      // At this point the head and a small body have already arrived.
      count()
      response.once('close', count)
    }
    if (delay > 0) return Math.ceil(delay / 1000)
    usage.useRequest(client)
    return 0
  }
}

function limitAddresses(server: EventEmitter, most: number): void {
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const client = clientNetwork(socket.remoteAddress ?? '')
    const count = open.get(client) ?? 0
    if (count >= most) {
      socket.end(tooMany)
      socket.destroySoon()
      return
    }
    open.set(client, count + 1)
    socket.once('close', () => {
      const left = open.get(client)! - 1
      if (left === 0) open.delete(client)
      else open.set(client, left)
    })
  })
}
