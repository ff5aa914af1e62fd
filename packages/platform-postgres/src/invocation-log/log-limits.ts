import type { InvocationLogOptions } from '@signalbox/platform-runtime/invocation-log'
import { logTime } from '@signalbox/platform-runtime/storage'
import type { Query } from '../database.ts'

/** Milliseconds between two searches for entries that are too old. */
const ageCheckInterval = 60_000

/** The maximum number of entries that one statement deletes. */
const step = 5000

const deleteOldest = `
with old as (select id, size, sum(size) over (order by id) as until from logged_invocations order by id limit ${step}),
gone as (delete from logged_invocations where id in
  (select id from old where until - size < (select log.size from invocation_log log) - $1) returning size)
update invocation_log set size = invocation_log.size - (select coalesce(sum(size), 0) from gone)
returning size, (select count(*) from gone) as gone`

const deleteOld = `
with old as (select id from logged_invocations where started < least($1, (select time_of(null))) - $2
  order by started limit ${step}),
gone as (delete from logged_invocations where id in (select id from old) returning size)
update invocation_log set size = invocation_log.size - (select coalesce(sum(size), 0) from gone)
returning size, (select count(*) from gone) as gone`

/**
 * Returns a function that deletes the entries that exceed the limits of the log. Every platform does this after it has
 * written entries. The statements use the current size to decide what to delete, so that several platforms together
 * delete no more than one platform would. A platform whose clock is ahead of that of the database deletes nothing early.
 */
export function logLimits(query: Query, { limits, clock }: Pick<InvocationLogOptions, 'limits' | 'clock'>) {
  let lastAgeCheck = Number.NEGATIVE_INFINITY
  const remove = async (statement: string, ...limit: readonly number[]) => {
    const [row] = await query<{ size: number; gone: number }>(statement, limit)
    return row!
  }
  return async (): Promise<void> => {
    const [log] = await query<{ size: number }>('select size from invocation_log')
    let { size } = log!
    const now = clock.now()
    // The difference can be negative, because the clock may have been set back.
    if (Math.abs(now - lastAgeCheck) >= ageCheckInterval) {
      lastAgeCheck = now
      const time = logTime(clock)
      for (let gone = step; gone === step; ) ({ size, gone } = await remove(deleteOld, time, limits.age))
    }
    // Deletes a tenth of the log at once, so that not every insert has to free space.
    const kept = limits.size * 0.9
    if (size > limits.size)
      for (let gone = 1; gone > 0 && size > kept; ) ({ size, gone } = await remove(deleteOldest, kept))
  }
}
