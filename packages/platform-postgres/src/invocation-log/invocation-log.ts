import {
  gatheredLog,
  type InvocationLog,
  type InvocationLogOptions,
} from '@signalbox/platform-runtime/invocation-log'
import type { Database } from '../database.ts'
import { DatabaseUnavailableError } from '../database-error.ts'
import { columns, recordColumns, recordOf } from './invocation-rows.ts'
import { logLimits } from './log-limits.ts'
import { logReads } from './log-reads.ts'

const insert = `
with log as (update invocation_log set last_id = last_id + $1, size = size + $2 returning last_id),
rows as (select * from json_to_recordset($3) as r(at bigint, ${recordColumns}))
insert into logged_invocations (id, ${columns})
select last_id - $1 + at, ${columns} from log, rows order by at
returning id`

/**
 * Opens the invocation log of all platforms that share a database. An entry can occur twice, because it is written
 * again when the answer of the database is lost.
 */
export function invocationLog({ query }: Database, options: InvocationLogOptions): InvocationLog {
  const applyLimits = logLimits(query, options)
  const gathered = gatheredLog(
    {
      async insert(rows) {
        const records = rows.map((row, position) => ({ at: position + 1, ...recordOf(row) }))
        const size = records.reduce((sum, record) => sum + record.size, 0)
        const ids = await query<{ id: number }>(insert, [rows.length, size, JSON.stringify(records)])
        return ids.map(({ id }) => id)
      },
      async tidy() {
        await applyLimits()
        return false
      },
      isTemporary: error => error instanceof DatabaseUnavailableError,
    },
    options,
  )
  return { ...gathered, ...logReads(query, gathered.flush) }
}
