import { createHash } from 'node:crypto'
import type { Store } from '@signalbox/core'
import { InvalidOptionError, notAnAnswer, refuseUnknownOptions } from '@signalbox/core/base'

/** The part of a `pg.Pool` that the store uses. */
export interface PostgresLike {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly unknown[] }>
}

/** Options of `postgresStore`. */
export interface PostgresStoreOptions {
  /** The table, with or without its schema. The store creates it at its first write. Default `signalbox_store`. */
  readonly table?: string
}

/** The number of writes after which a store deletes expired keys. */
const pruneEvery = 500
/** The maximum number of expired keys that a store deletes at once. */
const pruneStep = 5000

/** The error code for a missing table. */
const undefinedTable = '42P01'
/** The error codes for a table, a type or a catalogue row that another process has created in the meantime. */
const createdMeanwhile: readonly unknown[] = ['42P07', '42710', '23505']

/**
 * Returns a store in a PostgreSQL database, for `once` and `rateLimit`. All processes that use the table share the
 * keys. Of several simultaneous claims of a key, exactly one succeeds, and the clock of the database decides when a
 * key expires. Each method runs a single statement, so the pool may connect through a transaction pooler.
 *
 * The methods reject when the database cannot be reached. A claim whose answer was lost may have succeeded. In this
 * case, it lasts until its `ttl` has passed.
 * @param pool a `pg.Pool`, or another client with a `query` method
 * @throws InvalidOptionError for a value without `query`, an unknown option, or an invalid table name
 * @example
 * ```ts
 * import { postgresStore } from '@signalbox/platform-postgres/store'
 * import { once, queue } from '@signalbox/queue'
 * import pg from 'pg'
 *
 * const store = postgresStore(new pg.Pool({ connectionString: process.env.DATABASE_URL }))
 * queue({ onMessage: once({ store })(({ body }) => console.log(body)) })
 * ```
 */
export function postgresStore(pool: PostgresLike, options: PostgresStoreOptions = {}): Store {
  refuseUnknownOptions('postgresStore()', options, ['table'])
  const { table = 'signalbox_store' } = options
  if (typeof pool?.query !== 'function')
    throw new InvalidOptionError('postgresStore() takes a pg.Pool, but this has no query()')
  if (!/^[a-z_][a-z0-9_]{0,50}(\.[a-z_][a-z0-9_]{0,50})?$/.test(table))
    throw new InvalidOptionError(
      `postgresStore(): table is ${JSON.stringify(table)}, expected small letters, digits and _, with or without a schema in front`,
    )
  const until = "statement_timestamp() + $3 * interval '1 millisecond'"
  const upsert = `insert into ${table} as stored (key, value, expires) values ($1, $2, ${until})
on conflict (key) do update set value = excluded.value, expires = excluded.expires`
  const statements = {
    get: `select value from ${table} where key = $1 and expires > statement_timestamp()`,
    set: upsert,
    setIfAbsent: `${upsert} where stored.expires <= statement_timestamp() returning 1`,
    delete: `delete from ${table} where key = $1`,
    // A key that another process is writing is skipped, so that nobody waits.
    prune: `with old as materialized (select key from ${table} where expires < now() order by expires limit $1 for update skip locked)
delete from ${table} where key in (select key from old)`,
    create: `create table if not exists ${table} (key bytea primary key, value text not null, expires timestamptz not null)`,
    index: `create index if not exists ${table.replace('.', '_')}_by_expiry on ${table} (expires)`,
  }
  let writes = 0

  const read = async (text: string, values: unknown[]): Promise<readonly unknown[]> => {
    try {
      return (await pool.query(text, values)).rows
    } catch (error) {
      if (codeOf(error) === undefinedTable) return []
      throw error
    }
  }
  const create = async (text: string): Promise<void> => {
    try {
      await pool.query(text, [])
    } catch (error) {
      if (!createdMeanwhile.includes(codeOf(error))) throw error
    }
  }
  const write = async (text: string, values: unknown[]): Promise<readonly unknown[]> => {
    const run = async () => (await pool.query(text, values)).rows
    const rows = await run().catch(async error => {
      if (codeOf(error) !== undefinedTable) throw error
      await create(statements.create)
      await create(statements.index)
      return run()
    })
    if (writes++ % pruneEvery === 0)
      // The write has succeeded. Until the next attempt, the expired keys only take up space.
      await pool.query(statements.prune, [pruneStep]).catch(() => {})
    return rows
  }

  return notAnAnswer('a store', {
    async get(key) {
      const [row] = (await read(statements.get, [digest(key)])) as readonly { readonly value: string }[]
      return row && (JSON.parse(row.value) as string)
    },
    async setIfAbsent(key, value, ttl) {
      const set = await write(statements.setIfAbsent, [digest(key), JSON.stringify(value), ttl])
      return set.length > 0
    },
    async set(key, value, ttl) {
      await write(statements.set, [digest(key), JSON.stringify(value), ttl])
    },
    async delete(key) {
      await read(statements.delete, [digest(key)])
    },
  })
}

/**
 * Returns the digest of a key. All digests have the same length, so that any key can be indexed. Values are stored as
 * JSON, because PostgreSQL text cannot contain every character.
 */
function digest(key: string): Buffer {
  return createHash('sha256').update(JSON.stringify(key)).digest()
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | undefined)?.code
}
