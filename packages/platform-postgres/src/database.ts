import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { StorageTime } from '@signalbox/platform-runtime/storage'
import pg from 'pg'
import { DatabaseUnavailableError, isConnectionFailure } from './database-error.ts'
import type { PostgresOptions } from './postgres-options.ts'

/** Runs one statement, and returns its rows. */
export type Query = <Row extends object = Record<string, unknown>>(
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Row[]>

/** A pool of connections to one schema of a database. */
export interface Database {
  readonly query: Query
  /** Runs statements in one transaction, and repeats the transaction after a deadlock. */
  readonly transaction: <T>(work: (query: Query) => Promise<T>) => Promise<T>
  /**
   * Runs all statements on one connection, without a transaction around them, and then closes the connection. Locks and
   * settings of the session end with it. When the connection breaks, all later statements fail.
   */
  readonly session: (work: (query: Query) => Promise<void>) => Promise<void>
  /**
   * Breaks all connections when the server does not answer, so that running statements fail at once instead of at their
   * time limit.
   */
  readonly breakConnections: () => void
  /** Resolves when no statement is running. */
  readonly idle: () => Promise<void>
  readonly close: () => Promise<void>
}

const bigint = 20

/** The codes of errors after which a transaction is rolled back and can succeed when it is repeated. */
const transient: readonly unknown[] = ['40P01', '40001']
const attempts = 8

const statementTimeout = 30_000
/** Milliseconds that closing the pool waits for the server to end the connections. */
const leaveLimit = 1000

/** Returns the settings of every connection. */
export function connectionSettings({ url }: PostgresOptions): pg.ClientConfig {
  const types = {
    // The numbers in this package are times and ids, which fit into a JavaScript number.
    getTypeParser: (type: number, format?: 'text' | 'binary') =>
      type === bigint ? Number : pg.types.getTypeParser(type, format as 'text'),
  } as pg.CustomTypesConfig
  return {
    connectionString: url,
    application_name: 'signalbox',
    connectionTimeoutMillis: 3000,
    // When the network is cut off, the server sends nothing, not even an error.
    query_timeout: statementTimeout + 5000,
    keepAlive: true,
    types,
  }
}

/**
 * Opens a pool. It connects when it is first used, and reconnects after the server was unreachable.
 * @param observe called with how long statements, transactions and commits took
 */
export function openDatabase(options: PostgresOptions, observe: StorageTime = () => {}): Database {
  const sockets = new Set<Socket>()
  const stream = () => {
    const socket = new Socket()
    sockets.add(socket.once('close', () => sockets.delete(socket)))
    return socket
  }
  const breakConnections = () => {
    for (const socket of sockets) socket.destroy()
  }
  const pool = new pg.Pool({
    ...connectionSettings(options),
    max: options.connections,
    stream,
    // The settings are sent as statements, because poolers such as PgBouncer refuse them in the connection request.
    // Some tables grow faster than their statistics. A plan that was made for a small table must not scan a large one.
    onConnect: client =>
      client.query(
        `set search_path to ${pg.escapeIdentifier(options.schema)}; set statement_timeout to ${statementTimeout}; set enable_seqscan to off`,
      ),
  })
  // When an idle connection breaks, the pool opens a new one.
  pool.on('error', () => {})
  // The connection may break between two statements of a transaction. In this case, the next statement fails.
  pool.on('connect', client => client.on('error', () => {}))
  const names = new Map<string, string>()
  const nameOf = (text: string) => {
    const known = names.get(text)
    if (known !== undefined) return known
    const name = `s${names.size}`
    names.set(text, name)
    return name
  }
  let running = 0
  let waiting: (() => void)[] = []

  /** Runs work, and repeats it after a deadlock. A lost connection becomes a DatabaseUnavailableError. */
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    running++
    try {
      for (let attempt = 1; ; attempt++)
        try {
          return await work()
        } catch (error) {
          if (isConnectionFailure(error)) throw new DatabaseUnavailableError(error)
          if (attempt === attempts || !transient.includes((error as { code?: unknown }).code)) throw error
          await delay(Math.random() * 10 * attempt)
        }
    } finally {
      running--
      if (running === 0) {
        for (const done of waiting) done()
        waiting = []
      }
    }
  }

  const on =
    (client: pg.Pool | pg.PoolClient): Query =>
    async (text, values) => {
      // Without values, the text may contain several statements, which cannot be prepared.
      const statement =
        values === undefined ? text : { name: nameOf(text), text, values: values.map(storable) }
      return (await client.query(statement)).rows
    }

  return {
    query: (text, values) =>
      counted(async () => {
        const began = performance.now()
        const rows = await on(pool)<never>(text, values)
        observe('statement', secondsSince(began))
        return rows
      }),
    transaction: work =>
      counted(async () => {
        const client = await pool.connect()
        let failure: unknown
        try {
          const began = performance.now()
          await client.query('begin')
          const result = await work(on(client))
          const committing = performance.now()
          await client.query('commit')
          observe('commit', secondsSince(committing))
          observe('transaction', secondsSince(began))
          return result
        } catch (error) {
          failure = error
          // On a broken connection, a rollback gets no answer. A broken connection is closed below.
          if (!isConnectionFailure(error)) await client.query('rollback').catch(() => {})
          throw error
        } finally {
          client.release(isConnectionFailure(failure))
        }
      }),
    async session(work) {
      const client = await pool.connect()
      try {
        await work((text, values) => counted(() => on(client)(text, values)))
      } finally {
        client.release(true)
      }
    },
    breakConnections,
    idle: () =>
      running === 0
        ? Promise.resolve()
        : new Promise(resolve => {
            waiting.push(resolve)
          }),
    async close() {
      // A server that does not answer does not close the connections either, so this process breaks them after a
      // while.
      const timer = setTimeout(breakConnections, leaveLimit)
      await pool.end()
      clearTimeout(timer)
    },
  }
}

function secondsSince(began: number): number {
  return (performance.now() - began) / 1000
}

/**
 * Replaces the NUL characters of a text, because PostgreSQL cannot store them. Lone surrogates are replaced by the same
 * character when the text is encoded.
 */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd')
  return Array.isArray(value) ? value.map(storable) : value
}
