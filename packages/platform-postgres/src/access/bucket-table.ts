import { createHash } from 'node:crypto'
import type { BucketTable } from '@signalbox/platform-runtime/access'
import type { Database } from '../database.ts'
import type { PeriodicWork } from '../periodic-work.ts'

/** Milliseconds between two deletions of buckets that are full again. */
const interval = 60_000
/** The maximum number of buckets. */
const most = 100_000

const changedAt = 'greatest(b.changed_at, excluded.changed_at)'
/** The number of tokens that are left. `excluded` is a full bucket from which the tokens were taken. */
const left = `least(excluded.amount, b.tokens + greatest(0, excluded.changed_at - b.changed_at) * excluded.rate)
  - (excluded.amount - excluded.tokens)`

const take = `
insert into token_buckets as b (key, amount, rate, tokens, changed_at, full_at)
select key, amount, rate, amount - taken, t, t + ceil(taken / rate)
from json_to_recordset($1) as r(key text, amount double precision, rate double precision, taken double precision), time_of($2) t
order by key
on conflict (key) do update set amount = excluded.amount, rate = excluded.rate, tokens = ${left}, changed_at = ${changedAt},
  full_at = ${changedAt} + ceil((excluded.amount - (${left})) / excluded.rate)
returning key, tokens`

const deleteFull = `
delete from token_buckets where full_at <=
  greatest(time_of($1), (select full_at from token_buckets order by full_at desc offset $2 limit 1))`

/**
 * Opens the token buckets of all platforms that share a database. The database contains only digests of the bucket
 * names. Buckets that are full again are deleted.
 * @param given returns the time that a test sets, or null to use the database clock
 */
export function bucketTable(
  { query }: Database,
  periodic: PeriodicWork,
  given: () => number | null,
): BucketTable & { readonly close: () => Promise<void> } {
  const stop = periodic.onePlatform('token buckets', interval, async query => {
    await query(deleteFull, [given(), most])
  })
  return {
    async take(taken) {
      const rows = taken.map(({ bucket, size: { amount, window }, tokens }) => ({
        key: createHash('sha256').update(bucket).digest('base64'),
        ...{ amount, rate: amount / window, taken: tokens },
      }))
      const found = await query<{ key: string; tokens: number }>(take, [JSON.stringify(rows), given()])
      const byKey = new Map(found.map(({ key, tokens }) => [key, tokens]))
      return rows.map(({ key }) => byKey.get(key)!)
    },
    close: stop,
  }
}
