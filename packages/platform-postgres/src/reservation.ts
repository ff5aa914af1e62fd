import { setTimeout as delay } from 'node:timers/promises'
import { IncompleteDataError, type StorageReservation } from '@signalbox/platform-runtime/storage'
import pg from 'pg'
import { connectionSettings, type Database } from './database.ts'
import { DatabaseUnavailableError } from './database-error.ts'
import type { PostgresOptions } from './postgres-options.ts'

/** The database lock that shows whether a process has reserved the storage. */
export interface Reservation {
  /**
   * Refuses storage that another process has reserved.
   * @throws Error while it is reserved
   */
  readonly refuse: () => Promise<void>
  /**
   * Refuses storage that contains only a part of the data.
   * @throws IncompleteDataError
   */
  readonly refuseIncomplete: () => Promise<void>
  /**
   * Reserves the storage until `close`.
   * @throws Error while another process has reserved it
   */
  readonly reserve: () => Promise<StorageReservation>
  readonly close: () => Promise<void>
}

/** The name of the job whose row shows that the storage contains only a part of the data. */
const incomplete = 'incomplete copy'

/** Milliseconds within which the server notices that the process of a reservation was killed. */
const noticeTime = 3000

/**
 * Returns the reservation of a schema. It belongs to a connection of its own, so that it ends with its process, even by
 * SIGKILL.
 */
export function reservation(options: PostgresOptions, { query }: Database): Reservation {
  const name = `signalbox reservation of ${options.schema}`
  let client: pg.Client | undefined

  const refuseUnless = async (isFree: () => Promise<boolean>) => {
    for (const end = performance.now() + noticeTime; !(await isFree()); await delay(50))
      if (performance.now() > end)
        throw new Error(
          'Another process has reserved the database, such as `signalbox storage copy`. Try again when it has ended.',
        )
  }

  return {
    async refuse() {
      if (client !== undefined) return
      await refuseUnless(async () => {
        // The lock ends with the statement.
        const [row] = await query<{ free: boolean }>(
          'select pg_try_advisory_xact_lock_shared(hashtextextended($1, 0)) as free',
          [name],
        )
        return row!.free
      })
    },

    async refuseIncomplete() {
      const found = await query('select from jobs where name = $1', [incomplete])
      if (found.length > 0) throw new IncompleteDataError(`The schema ${options.schema} of the database`)
    },

    async reserve() {
      const own = new pg.Client(connectionSettings(options))
      client = own
      // A broken connection rejects the next query.
      own.on('error', () => {})
      await own.connect()
      await refuseUnless(async () => {
        const { rows } = await own.query<{ free: boolean }>(
          'select pg_try_advisory_lock(hashtextextended($1, 0)) as free',
          [name],
        )
        return rows[0]!.free
      })
      return {
        async check() {
          try {
            await own.query('select 1')
          } catch (error) {
            throw new DatabaseUnavailableError(error)
          }
        },
        async setIncomplete(isIncomplete) {
          await query(
            isIncomplete
              ? 'insert into jobs (name, ran_at) values ($1, time_of(null)) on conflict do nothing'
              : 'delete from jobs where name = $1',
            [incomplete],
          )
        },
      }
    },

    async close() {
      await client?.end().catch(() => {})
    },
  }
}
