import type { DatabaseSync } from 'node:sqlite'
import type { Tags } from '../../own-queue-store.ts'
import {
  changedAttributes,
  defaultAttributes,
  differingAttribute,
  type QueueAttributes,
} from '../../queue-attributes.ts'
import { isFifoName, refuseQueueName } from '../../queue-name.ts'
import { existingQueueRefusal, queueNotFound, refuseDeniedDeadLetter } from '../../queue-rules.ts'

/** A row of the table of queues. */
export interface QueueRow {
  readonly id: number
  readonly name: string
  readonly fifo: boolean
  readonly attributes: QueueAttributes
  readonly tags: Tags
  readonly createdAt: number
  readonly modifiedAt: number
  readonly purgedAt: number | null
}

/** Returns access to the table of queues. Its few rows are read often, so they are also kept in memory. */
export function queueRows(database: DatabaseSync) {
  const rows = new Map<string, QueueRow>()
  const insert = database.prepare(
    'insert into queues (name, attributes, tags, created_at, modified_at) values (?, ?, ?, ?, ?)',
  )
  const update = database.prepare(
    'update queues set attributes = ?, tags = ?, modified_at = ?, purged_at = ? where id = ?',
  )
  const remove = database.prepare('delete from queues where id = ?')
  const all = database.prepare(
    'select id, name, attributes, tags, created_at, modified_at, purged_at from queues',
  )

  const load = () => {
    rows.clear()
    for (const row of all.all()) {
      const name = String(row.name)
      rows.set(name, {
        id: Number(row.id),
        name,
        fifo: isFifoName(name),
        attributes: { ...defaultAttributes, ...JSON.parse(String(row.attributes)) },
        tags: JSON.parse(String(row.tags)) as Tags,
        createdAt: Number(row.created_at),
        modifiedAt: Number(row.modified_at),
        purgedAt: row.purged_at === null ? null : Number(row.purged_at),
      })
    }
  }
  load()

  const store = (row: QueueRow) => {
    const { attributes, tags, modifiedAt, purgedAt, id } = row
    update.run(JSON.stringify(attributes), JSON.stringify(tags), modifiedAt, purgedAt, id)
    rows.set(row.name, row)
  }

  const allowOf = (name: string) => rows.get(name)?.attributes.redriveAllow

  return {
    /** Reloads the rows after a failed transaction. */
    load,
    names: (): readonly string[] => [...rows.keys()].sort(),
    /** Finds a queue. Returns undefined if the queue does not exist. */
    named: (name: string): QueueRow | undefined => rows.get(name),
    withId: (id: number): QueueRow | undefined => [...rows.values()].find(row => row.id === id),
    /** Returns the names of the queues that use a queue as their dead-letter queue. */
    sourcesOf: (name: string): readonly string[] =>
      [...rows.values()]
        .filter(({ attributes }) => attributes.deadLetter?.queue === name)
        .map(row => row.name)
        .sort(),
    /** Returns a queue. @throws QueueStoreError if it does not exist */
    get: (name: string): QueueRow => {
      const row = rows.get(name)
      if (row !== undefined) return row
      throw queueNotFound()
    },
    create(name: string, attributes: Partial<QueueAttributes>, tags: Tags, now: number): void {
      refuseQueueName(name)
      const there = rows.get(name)
      if (there !== undefined) {
        const refused = existingQueueRefusal(there, attributes, tags)
        if (refused === undefined) return
        throw refused
      }
      const full = changedAttributes(name, defaultAttributes, attributes)
      refuseDeniedDeadLetter(name, defaultAttributes, attributes, allowOf)
      const texts = [JSON.stringify(full), JSON.stringify(tags)] as const
      const id = Number(insert.run(name, ...texts, now, now).lastInsertRowid)
      const times = { createdAt: now, modifiedAt: now, purgedAt: null }
      rows.set(name, { id, name, fifo: isFifoName(name), attributes: full, tags, ...times })
    },
    setAttributes(row: QueueRow, attributes: Partial<QueueAttributes>, now: number): void {
      const after = changedAttributes(row.name, row.attributes, attributes)
      if (differingAttribute(row.attributes, after) === undefined) return
      refuseDeniedDeadLetter(row.name, row.attributes, attributes, allowOf)
      store({ ...row, attributes: after, modifiedAt: now })
    },
    setTags: (row: QueueRow, tags: Tags): void => store({ ...row, tags }),
    markPurged: (row: QueueRow, now: number): void => store({ ...row, purgedAt: now }),
    remove(row: QueueRow): void {
      remove.run(row.id)
      rows.delete(row.name)
    },
  }
}

export type QueueRows = ReturnType<typeof queueRows>
