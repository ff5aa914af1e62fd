import type { EventFailure, EventStore, TakenEvent } from '@signalbox/platform-invoke/store'
import type { Database } from '../database.ts'

/**
 * The interval in milliseconds at which a platform looks for events of other platforms: new events, and events whose
 * leases have expired.
 */
const pollInterval = 5000

interface Row extends Omit<TakenEvent, 'clientContext' | 'failure'> {
  readonly number: number
  readonly clientContext: string | null
  readonly failure: string | null
}

/**
 * Keeps the events of all platforms that share a database. Each platform takes its own events and those of other
 * platforms. When a platform ends, others take its events once their leases have expired.
 * @param given returns the time that a test sets, or null to use the database clock
 */
export function eventStore(database: Database, given: () => number | null): EventStore {
  const { query } = database
  return {
    async add({ id, functionName, payload, clientContext }) {
      await query(
        `insert into events (id, function, payload, client_context, accepted_at, due_at)
        select $1, $2, $3, $4, t, t from time_of($5) t`,
        [id, functionName, payload, clientContext ?? null, given()],
      )
    },
    async take(functionName, { max, lease }) {
      if (max <= 0) return []
      const rows = await query<Row>(
        `with now as materialized (select time_of($1) as t), due as (
          select number from events where function = $2 and due_at <= (select t from now)
          order by due_at, number limit $3 for update skip locked)
        update events set is_taken = true, lease = lease + 1, due_at = (select t from now) + $4::bigint,
          attempts = attempts + case when failure is null then 1 else 0 end
        where number in (select number from due)
        returning number, id, function as "functionName", payload, client_context as "clientContext",
          (select t from now) - accepted_at as age, attempts, refusals, failure, lease`,
        [given(), functionName, max, lease],
      )
      return rows.toSorted((a, b) => a.number - b.number).map(eventOf)
    },
    async giveBack({ id, lease }, { attempts, refusals, failure, delay }) {
      const text = failure === undefined ? null : JSON.stringify(failure)
      const changed = await query(
        `update events set is_taken = false, attempts = $3, refusals = $4, failure = $5, due_at = time_of($6) + $7::bigint
        where id = $1 and lease = $2 and is_taken returning id`,
        [id, lease, attempts, refusals, text, given(), delay],
      )
      return changed.length === 1
    },
    async remove({ id, lease }) {
      const removed = await query(
        'delete from events where id = $1 and lease = $2 and is_taken returning id',
        [id, lease],
      )
      return removed.length === 1
    },
    async nextIn(functionName) {
      const [row] = await query<{ wait: number | null }>(
        'select min(due_at) - time_of($1) as wait from events where function = $2',
        [given(), functionName],
      )
      return Math.min(pollInterval, Math.max(0, row?.wait ?? pollInterval))
    },
    async counts() {
      const rows = await query<{ name: string; count: number }>(
        'select function as name, count(*) as count from events group by function',
      )
      return new Map(rows.map(({ name, count }) => [name, count]))
    },
    async close() {},
  }
}

function eventOf({ number: _number, clientContext, failure, ...row }: Row): TakenEvent {
  return {
    ...row,
    clientContext: clientContext ?? undefined,
    failure: failure === null ? undefined : (JSON.parse(failure) as EventFailure),
  }
}
