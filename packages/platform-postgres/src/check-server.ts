import pg from 'pg'
import { connectionSettings } from './database.ts'
import { DatabaseUnavailableError, isConnectionFailure, setting } from './database-error.ts'
import type { PostgresOptions } from './postgres-options.ts'

/** The number of times that two connections are compared. Other clients of a pooler may disturb a comparison. */
const rounds = 3

/**
 * Checks that a database can keep the data of a platform: it must store any text, and each connection must stay with
 * one session of the server.
 * @throws Error that says what to change; DatabaseUnavailableError when the server cannot be reached
 */
export async function checkServer(options: PostgresOptions): Promise<void> {
  const [one, other] = [newClient(options), newClient(options)]
  try {
    await Promise.all([one.connect(), other.connect()])
    const { encoding } = await ask<{ encoding: string }>(
      one,
      `select current_setting('server_encoding') as encoding`,
    )
    if (encoding !== 'UTF8')
      throw new Error(
        `${nameOf(one)} has the encoding ${encoding}, which cannot keep every text. Create one with: create database NAME encoding 'UTF8' template template0`,
      )
    await refusePooledTransactions(one, other)
  } catch (error) {
    throw isConnectionFailure(error) ? new DatabaseUnavailableError(error) : error
  } finally {
    await Promise.all([one.end(), other.end()].map(each => each.catch(() => {})))
  }
}

/**
 * Refuses a pooler that pools transactions. Such a pooler gives two idle connections the same session of the server, or
 * one connection several sessions.
 */
async function refusePooledTransactions(one: pg.Client, other: pg.Client): Promise<void> {
  const session = async (client: pg.Client) =>
    (await ask<{ session: number }>(client, 'select pg_backend_pid() as session')).session
  const [first, second] = [await session(one), await session(other)]
  for (let round = 1; round <= rounds; round++)
    if (first === second || (await session(one)) !== first || (await session(other)) !== second)
      throw new Error(
        `${nameOf(one)} is behind a pooler that pools transactions or statements. Platforms need a session for each connection: set pool_mode = session in PgBouncer, or name the server itself in ${setting}.`,
      )
}

function newClient(options: PostgresOptions): pg.Client {
  let client: pg.Client
  try {
    client = new pg.Client(connectionSettings(options))
  } catch (cause) {
    // The driver reads the files that parameters such as sslrootcert name.
    throw new Error(`A file that ${setting} names cannot be read: ${(cause as Error).message}`, { cause })
  }
  // A connection that breaks also rejects the current statement.
  client.on('error', () => {})
  return client
}

async function ask<Row extends pg.QueryResultRow>(client: pg.Client, text: string): Promise<Row> {
  return (await client.query<Row>(text)).rows[0]!
}

function nameOf({ database, host, port }: pg.Client): string {
  return `The database ${database} at ${host}:${port}`
}
