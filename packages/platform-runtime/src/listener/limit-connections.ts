import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Clock, systemClock } from '@signalbox/core/base'
import { shareDescriptors } from './open-files.ts'

/** The maximum number of connections of one listener at a time. */
const connectionLimit = 4096

/**
 * Milliseconds that a client has to send a request, to send the rest of it, or to read its response. After that, a new
 * connection may replace it.
 */
const stuckAfter = 5000

/** The number of connections that may wait until they are accepted. The system may have a lower limit. */
export const backlog: number = connectionLimit

/** Milliseconds for which a list of replaceable connections stays valid. */
const choiceLife = 100

interface Address {
  readonly name: string
  count: number
  /** The connections to replace next. */
  readonly choice: Choice
}

/**
 * The connections that may be closed to make room for new connections. The last in the list is closed first. The list
 * exists because a search of all connections each time would take too long.
 */
interface Choice {
  made: number
  connections: Connection[]
}

interface Connection {
  readonly socket: Socket
  readonly address: Address
  /** The time when the connection was opened or when its last request arrived. */
  since: number
  request: IncomingMessage | undefined
  response: ServerResponse | undefined
  /** The time since which the client has left data unread. */
  unread: number | undefined
  /** The rank of the connection at the last check. */
  rank: number
}

export interface ConnectionLimit {
  /**
   * Records a request. Must be called for every request for which the server does not emit `request`, such as one that
   * expects 100 Continue.
   */
  readonly note: (request: IncomingMessage, response: ServerResponse) => void
}

/**
 * Stops clients from locking others out by keeping connections open. When all places are taken, a new connection
 * replaces one whose client has not finished a request or does not read the answer. If there is no such connection, an
 * idle or a very new connection is replaced, whichever kind is more frequent. Within a kind, the address with the most
 * connections loses the connection that has been in its state for the longest time. One address cannot hold all places.
 * When no connection can be replaced, the new one is refused. All listeners together leave descriptors of the process
 * free. See docs/decisions/listeners-and-limits.md#many-clients-of-one-listener.
 * @param refusal the text for refused clients
 */
export function limitConnections(
  server: EventEmitter,
  refusal: string = tooManyConnections,
  clock: Pick<Clock, 'now'> = systemClock,
  limit: number = connectionLimit,
): ConnectionLimit {
  const all = new Map<Socket, Connection>()
  const addresses = new Map<string, Address>()
  const addressLimit = limit - Math.ceil(limit / 16)
  const choiceSize = Math.ceil(limit / 16)
  const choiceOfAll: Choice = { made: 0, connections: [] }

  const forget = (socket: Socket): void => {
    const own = all.get(socket)
    if (own === undefined) return
    all.delete(socket)
    if (--own.address.count === 0) addresses.delete(own.address.name)
  }

  const choose = (fullAddress: Address | undefined, time: number): Connection[] => {
    const free: Connection[] = []
    for (const each of all.values()) {
      if (fullAddress !== undefined && each.address !== fullAddress) continue
      each.rank = rankOf(each, time)
      if (each.rank !== ranks.busy) free.push(each)
    }
    const fresh = free.filter(({ rank }) => rank === ranks.fresh).length
    const idle = free.filter(({ rank }) => rank === ranks.idle).length
    const first = fresh > idle ? ranks.fresh : ranks.idle
    return free
      .sort((one, other) => sooner(one, other, first))
      .slice(0, choiceSize)
      .reverse()
  }

  const makeRoom = (fullAddress: Address | undefined): boolean => {
    const time = clock.now()
    const choice = fullAddress?.choice ?? choiceOfAll
    if (Math.abs(time - choice.made) >= choiceLife) choice.connections = []
    for (;;) {
      if (choice.connections.length === 0) {
        choice.connections = choose(fullAddress, time)
        choice.made = time
      }
      const first = choice.connections.pop()
      if (first === undefined) return false
      // The connection may have been closed, or have sent a request, since the list was made.
      const rank = rankOf(first, time)
      if (all.get(first.socket) !== first || (rank !== first.rank && rank !== ranks.stuck)) continue
      forget(first.socket)
      first.socket.destroy()
      return true
    }
  }

  const hasDescriptors = shareDescriptors({
    connections: () => all.size,
    makeRoom: () => makeRoom(undefined),
  })

  const note = (request: IncomingMessage, response: ServerResponse): void => {
    const own = all.get(request.socket)
    if (own === undefined) return
    own.request = request
    own.response = response
    own.since = clock.now()
  }

  server.on('connection', (socket: Socket) => {
    const name = socket.remoteAddress ?? ''
    const address = addresses.get(name) ?? { name, count: 0, choice: { made: 0, connections: [] } }
    const isFull = address.count >= addressLimit
    const hasRoom = isFull || all.size >= limit ? makeRoom(isFull ? address : undefined) : hasDescriptors()
    if (!hasRoom) {
      socket.end(refusal)
      socket.destroySoon()
      return
    }
    address.count++
    addresses.set(name, address)
    const since = clock.now()
    const nothing = { request: undefined, response: undefined, unread: undefined }
    all.set(socket, { socket, address, since, rank: ranks.fresh, ...nothing })
    socket.once('close', () => forget(socket))
  })
  server.on('request', note)
  return { note }
}

const tooManyConnections =
  'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/** The states of a connection, by rank. */
const ranks = { stuck: 0, idle: 1, fresh: 2, busy: 3 }

function rankOf(connection: Connection, time: number): number {
  const { socket, request, response, since } = connection
  connection.unread = socket.writableLength === 0 ? undefined : (connection.unread ?? time)
  if (connection.unread !== undefined && time - connection.unread >= stuckAfter) return ranks.stuck
  const isLate = time - since >= stuckAfter
  if (request === undefined || response === undefined) return isLate ? ranks.stuck : ranks.fresh
  if (!request.complete && isLate) return ranks.stuck
  return response.destroyed ? ranks.idle : ranks.busy
}

/** Orders connections for replacement: stuck connections first, then connections of the given rank, then all others. */
function sooner(one: Connection, other: Connection, rank: number): number {
  const place = (each: Connection) => (each.rank === ranks.stuck ? 0 : each.rank === rank ? 1 : 2)
  return place(one) - place(other) || other.address.count - one.address.count || one.since - other.since
}
