import { type InvocationEntries, rowOf } from '@signalbox/platform-runtime/invocation-log'
import type { Database } from '../database.ts'
import { columns, entryOf, recordColumns, recordOf, type StoredRow } from './invocation-rows.ts'

const insert = `
with rows as (select * from json_to_recordset($1) as r(id bigint, ${recordColumns})),
added as (
  insert into logged_invocations (id, ${columns}) select id, ${columns} from rows
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
      const rows = await query<StoredRow>(
        'select * from logged_invocations where id > $1 order by id limit $2',
        [after, limit],
      )
      return rows.map(entryOf)
    },
    async write(entries) {
      const rows = entries.map(({ id, ...entry }) => ({ id, ...recordOf(rowOf(entry)) }))
      await query(insert, [JSON.stringify(rows)])
    },
    close: async () => {},
  }
}
