import pg from 'pg'

/**
 * The settings of the servers of these benchmarks. A commit is on the disk when it ends. Dead rows are removed only
 * between the measurements, so that no contender is slowed down by the rows of another.
 */
export const serverSettings = [
  'fsync=on',
  'shared_buffers=512MB',
  'max_wal_size=4GB',
  'autovacuum=off',
] as const

/** Removes dead rows, so that no contender is slowed down by the rows of another. */
export async function removeDeadRows(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  await client.end()
}
