import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { connectionSettings, type Database } from './database.ts'
import type { PostgresOptions } from './postgres-options.ts'

/** Tells other platforms what has changed. A notification can be lost, so receivers also poll. */
export interface Notifications {
  /**
   * Calls `heard` with the topic of each notification from another platform. Calls it with undefined when
   * notifications may have been lost.
   */
  readonly listen: (heard: (topic: string | undefined) => void) => () => void
  readonly notify: (topic: string) => void
  readonly close: () => Promise<void>
}

const reconnectDelay = 250
/** Milliseconds between two checks of whether the server answers. */
const pingInterval = 3000
/** Milliseconds in which the server must answer a check. */
const pingLimit = 5000
/** Milliseconds that closing waits for the server to end the connection. */
const leaveLimit = 1000
/** Milliseconds between two notifications of a platform. Changes in between share the next one. */
const pauseBetween = 10
/** The maximum size of a notification in bytes. PostgreSQL allows 8000. */
const payloadLimit = 4000

/**
 * Listens on a separate connection, and sends notifications outside of transactions, because PostgreSQL commits
 * transactions with notifications one after the other. Topics that are sent at the same moment, or soon after a
 * notification, share one notification, so that a platform under load sends at most a hundred per second instead of one
 * for each change.
 *
 * The connection also shows whether the server answers at all, because a network that loses all packets closes no
 * connection. Without an answer, all connections of the pool are broken, so that no statement has to wait for its own
 * time limit.
 * @param platformId distinguishes the notifications of this platform from those of others
 */
export function notifications(
  options: PostgresOptions,
  database: Database,
  platformId: string,
  { interval = pingInterval, limit = pingLimit, pause = pauseBetween } = {},
): Notifications {
  const channel = `signalbox ${options.schema}`
  const listeners = new Set<(topic: string | undefined) => void>()
  const pending = new Set<string>()
  const closing = new AbortController()
  let sending = false
  let closed = false
  let client: pg.Client | undefined
  let socket: Socket | undefined
  let retry: NodeJS.Timeout | undefined

  const report = (topic: string | undefined) => {
    for (const heard of listeners) heard(topic)
  }

  const connect = async () => {
    const stream = new Socket()
    socket = stream
    const next = new pg.Client({
      ...connectionSettings(options),
      query_timeout: limit,
      stream: () => stream,
    })
    client = next
    let isOver = false
    let pinging: NodeJS.Timeout | undefined
    const over = () => {
      if (isOver) return
      isOver = true
      clearInterval(pinging)
      next.removeAllListeners('notification')
      void next.end().catch(() => {})
      if (!closed) retry = setTimeout(() => void connect(), reconnectDelay)
    }
    next.on('error', over)
    next.on('end', over)
    next.on('notification', ({ payload = '' }) => {
      const [sender, ...topics] = payload.split(' ')
      if (sender !== platformId) for (const topic of topics) report(topic)
    })
    try {
      await next.connect()
      await next.query(`listen ${pg.escapeIdentifier(channel)}`)
      report(undefined)
      if (isOver || closed) return
      let isAsked = false
      pinging = setInterval(async () => {
        if (isAsked) return
        isAsked = true
        try {
          await next.query('select 1')
          isAsked = false
        } catch {
          if (!isOver && !closed) database.breakConnections()
          over()
        }
      }, interval)
      pinging.unref()
    } catch {
      over()
    }
  }

  const send = async () => {
    if (sending) return
    sending = true
    // Changes that happen at the same moment share one notification.
    await new Promise(setImmediate)
    while (pending.size > 0) {
      let payload = platformId
      for (const topic of pending) {
        if (payload.length + topic.length >= payloadLimit) break
        payload += ` ${topic}`
        pending.delete(topic)
      }
      // Other platforms also poll, so a lost notification only causes a delay. Its commit therefore does not wait for
      // the disk.
      await database
        .query(`select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`, [channel, payload])
        .catch(() => {})
      await delay(pause, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
    sending = false
  }

  void connect()
  return {
    listen(heard) {
      listeners.add(heard)
      return () => listeners.delete(heard)
    },
    notify(topic) {
      if (closed) return
      pending.add(topic)
      void send()
    },
    async close() {
      closed = true
      closing.abort()
      clearTimeout(retry)
      const timer = setTimeout(() => socket?.destroy(), leaveLimit)
      await client?.end().catch(() => {})
      clearTimeout(timer)
    },
  }
}
