import type { Query } from '../database.ts'
import { readQueues } from './queue-rows.ts'

/**
 * Deletes messages that have expired and data that no request needs any more. It is safe to call this function twice.
 * @param given returns the time that a test sets, or null to use the database clock
 */
export async function deleteExpiredData(query: Query, given: () => number | null): Promise<void> {
  await query('delete from deduplications where expires_at <= (select time_of($1))', [given()])
  await query('delete from receive_attempts where expires_at <= (select time_of($1))', [given()])
  for (const { id, attributes } of (await readQueues(query)).values())
    await query('select drop_expired($1, time_of($2), $3)', [id, given(), attributes.retentionPeriod])
  // A platform may have sent messages to a queue while another platform deleted that queue.
  await query('delete from messages where queue not in (select id from queues)')
}
