import type { InvocationEntries } from '@signalbox/platform-runtime/invocation-log'
import type { Database } from '../database.ts'
import { entryOf, type InvocationRow, recordColumns, rowOf } from './invocation-rows.ts'

const insert = `
with rows as (select * from json_to_recordset($1) as r(id bigint, ${recordColumns})),
added as (
  insert into logged_invocations (id, request_id, function, source, family, attempt, generation, started, duration, verdict,
    is_ok, severity, is_masked, size, event, other)
  select id, request_id, function, source, family, attempt, generation, started, duration, verdict,
    is_ok, severity, is_masked, size, event, other from rows
  on conflict do nothing returning id, size
)
update invocation_log set last_id = greatest(last_id, (select max(id) from added)),
  size = size + (select coalesce(sum(size), 0) from added)`

/**
 * Returns access to the entries of the invocation log, so that they can be copied while no platform uses the
 * database.
 */
export function invocationEntries({ query }: Database): InvocationEntries {
  return {
    async read(after, limit) {
      const rows = await query<InvocationRow>(
        'select * from logged_invocations where id > $1 order by id limit $2',
        [after, limit],
      )
      return rows.map(entryOf)
    },
    async write(entries) {
      const rows = entries.map(({ id, ...entry }) => ({ id, ...rowOf(entry) }))
      await query(insert, [JSON.stringify(rows)])
    },
    close: async () => {},
  }
}
