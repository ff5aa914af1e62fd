import pg from 'pg'
import { connectionSettings, type Database } from './database.ts'
import type { PostgresOptions } from './postgres-options.ts'

/** Tells other platforms what has changed. A notification may be lost, so receivers also poll. */
export interface Notifications {
  /** Calls back with each topic that another platform has notified of; undefined when some may have been lost. */
  readonly listen: (heard: (topic: string | undefined) => void) => () => void
  readonly notify: (topic: string) => void
  readonly close: () => Promise<void>
}

const reconnectDelay = 250
/** The maximum size of a notification in bytes. PostgreSQL allows 8000. */
const payloadLimit = 4000

/**
 * Listens on a separate connection, and sends notifications outside of transactions: PostgreSQL commits transactions
 * with notifications one after the other. Topics of one moment become one notification.
 * @param platformId distinguishes the notifications of this platform from those of others
 */
export function notifications(
  options: PostgresOptions,
  database: Database,
  platformId: string,
): Notifications {
  const channel = `signalbox ${options.schema}`
  const listeners = new Set<(topic: string | undefined) => void>()
  const pending = new Set<string>()
  let sending = false
  let closed = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined

  const report = (topic: string | undefined) => {
    for (const heard of listeners) heard(topic)
  }

  const connect = async () => {
    const next = new pg.Client(connectionSettings(options))
    client = next
    let isOver = false
    const over = () => {
      if (isOver) return
      isOver = true
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
    } catch {
      over()
    }
  }

  const send = async () => {
    if (sending) return
    sending = true
    // Changes of the same moment share one notification.
    await new Promise(setImmediate)
    while (pending.size > 0) {
      let payload = platformId
      for (const topic of pending) {
        if (payload.length + topic.length >= payloadLimit) break
        payload += ` ${topic}`
        pending.delete(topic)
      }
      // Others poll, so a lost notification only takes longer.
      await database.query('select pg_notify($1, $2)', [channel, payload]).catch(() => {})
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
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}
