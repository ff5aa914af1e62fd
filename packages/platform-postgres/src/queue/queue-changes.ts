import {
  changedAttributes,
  defaultAttributes,
  differingAttribute,
  existingQueueRefusal,
  type QueueAttributes,
  queueNotFound,
  refuseDeniedDeadLetter,
  refuseEarlyPurge,
  refuseQueueName,
  type Tags,
} from '@signalbox/platform-queue/store'
import type { Database, Query } from '../database.ts'
import { type QueueRow, readQueues } from './queue-rows.ts'

/**
 * Creates, changes and removes queues. Because changes are rare, each change locks the queue table against other
 * changes, and reads the current rows from the database.
 * @param given returns the time that a test sets, or null to use the database clock
 */
export function queueChanges(database: Database, given: () => number | null) {
  const change = <T>(work: (query: Query, rows: ReadonlyMap<string, QueueRow>) => Promise<T>): Promise<T> =>
    database.transaction(async query => {
      await query('lock table queues in share row exclusive mode')
      return work(query, await readQueues(query))
    })
  const get = (rows: ReadonlyMap<string, QueueRow>, name: string): QueueRow => {
    const row = rows.get(name)
    if (row === undefined) throw queueNotFound()
    return row
  }
  const allowOf = (rows: ReadonlyMap<string, QueueRow>) => (name: string) =>
    rows.get(name)?.attributes.redriveAllow
  const empty = async (query: Query, { id }: QueueRow) => {
    for (const table of ['groups', 'messages', 'deduplications', 'receive_attempts'])
      await query(`delete from ${table} where queue = $1`, [id])
  }

  return {
    create: (name: string, attributes: Partial<QueueAttributes> = {}, tags: Tags = {}): Promise<void> =>
      change(async (query, rows) => {
        refuseQueueName(name)
        const existing = rows.get(name)
        if (existing !== undefined) {
          const refused = existingQueueRefusal(existing, attributes, tags)
          if (refused === undefined) return
          throw refused
        }
        const full = changedAttributes(name, defaultAttributes, attributes)
        refuseDeniedDeadLetter(name, defaultAttributes, attributes, allowOf(rows))
        await query(
          `insert into queues (name, attributes, tags, created_at, modified_at)
           select $1, $2, $3, t, t from time_of($4) t`,
          [name, JSON.stringify(full), JSON.stringify(tags), given()],
        )
      }),

    setAttributes: (name: string, attributes: Partial<QueueAttributes>): Promise<void> =>
      change(async (query, rows) => {
        const row = get(rows, name)
        const after = changedAttributes(name, row.attributes, attributes)
        if (differingAttribute(row.attributes, after) === undefined) return
        refuseDeniedDeadLetter(name, row.attributes, attributes, allowOf(rows))
        await query('update queues set attributes = $2, modified_at = time_of($3) where id = $1', [
          row.id,
          JSON.stringify(after),
          given(),
        ])
      }),

    setTags: (name: string, tags: Tags): Promise<void> =>
      change(async (query, rows) => {
        await query('update queues set tags = $2 where id = $1', [get(rows, name).id, JSON.stringify(tags)])
      }),

    remove: (name: string): Promise<void> =>
      change(async (query, rows) => {
        const row = get(rows, name)
        await query('delete from queues where id = $1', [row.id])
        await query('delete from moves where source = $1', [row.id])
        await empty(query, row)
      }),

    purge: (name: string): Promise<void> =>
      change(async (query, rows) => {
        const row = get(rows, name)
        const [{ now }] = (await query<{ now: number }>('select time_of($1) as now', [given()])) as [
          { now: number },
        ]
        refuseEarlyPurge(name, row.purgedAt, now)
        // A purge also deletes deduplication ids, because a client may purge the queue between two tests and then
        // send the same ids again.
        await empty(query, row)
        await query('update queues set purged_at = $2 where id = $1', [row.id, now])
      }),
  }
}
