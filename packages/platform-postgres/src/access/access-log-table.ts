import { createHash } from 'node:crypto'
import {
  type AccessLogEntry,
  type AccessLogTable,
  type AccessStoreOptions,
  accessLogLimits,
  minuteOf,
} from '@signalbox/platform-runtime/access'
import { logTime } from '@signalbox/platform-runtime/storage'
import type { Database } from '../database.ts'

const insert = `
insert into access_log as l (key, first, last, count, identity, source, operation, resource, result, address)
select key, first, last, count, identity, source, operation, resource, result, address
from json_to_recordset($1) as r(key text, first double precision, last double precision, count bigint, identity text,
  source text, operation text, resource text, result text, address text)
order by key
on conflict (key) do update set
  first = least(l.first, excluded.first), last = greatest(l.last, excluded.last), count = l.count + excluded.count`

const deleteOld = `
delete from access_log where last < greatest(
  least($1, (select time_of(null))) - $2,
  (select last from access_log order by last desc, id desc offset $3 limit 1)
)`

const select = `
select id, first, last, count, identity, source, operation, resource, result, address from access_log
where ($1::text is null or identity = $1) and ($2::text is null or source = $2)
  and ($3::text is null or strpos(operation || ' ' || resource || ' ' || address, $3) > 0)
  and not ($4 and result = 'allowed')
order by last desc, id desc limit $5`

/** Opens the access log of all platforms that share a database. */
export function accessLogTable({ query }: Database, { age, clock }: AccessStoreOptions): AccessLogTable {
  let written = 0
  return {
    async write(counts) {
      const rows = counts.map(({ first, last, count, ...record }) => {
        const { identity = '', resource = '', source, operation, result, address } = record
        const texts = [identity, source, operation, resource, result, address].map(storable)
        const key = createHash('sha256')
          .update(JSON.stringify([minuteOf(first), ...texts]))
          .digest('base64')
        const [who, where, what, which, how, from] = texts
        return {
          ...{ key, first, last, count },
          ...{ identity: who, source: where, operation: what, resource: which, result: how, address: from },
        }
      })
      await query(insert, [JSON.stringify(rows)])
      written += counts.length
      if (written < accessLogLimits.pruneEvery) return
      written = 0
      await query(deleteOld, [logTime(clock), age, accessLogLimits.entries])
    },
    async read({ identity, source, text, refused = false, last = 100 } = {}) {
      const texts = [identity, source, text].map(each => (each === undefined ? null : storable(each)))
      const rows = await query<AccessLogEntry>(select, [...texts, refused, last])
      return rows
        .map(row => ({ ...row, identity: row.identity || undefined, resource: row.resource || undefined }))
        .reverse()
    },
  }
}

/** Replaces the characters in a string that PostgreSQL cannot store. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}
