import type { DatabaseSync } from 'node:sqlite'
import {
  defaultAttributes,
  type QueueAttributes,
  refuseAttributes,
  refuseQueueName,
} from './queue-attributes.ts'
import { isFifoName } from './queue-store.ts'
import { QueueStoreError } from './queue-store-error.ts'

/** A queue as the database knows it. */
export interface QueueRow {
  readonly id: number
  readonly name: string
  readonly fifo: boolean
  readonly attributes: QueueAttributes
  readonly purgedAt: number | null
}

/** The table of queues. Few and asked for all the time, so they are kept in memory too. */
export function queueRows(database: DatabaseSync) {
  const rows = new Map<string, QueueRow>()
  const insert = database.prepare('insert into queues (name, attributes) values (?, ?)')
  const update = database.prepare('update queues set attributes = ?, purged_at = ? where id = ?')
  const remove = database.prepare('delete from queues where id = ?')
  const all = database.prepare('select id, name, attributes, purged_at from queues')

  const load = () => {
    rows.clear()
    for (const row of all.all()) {
      const name = String(row.name)
      rows.set(name, {
        id: Number(row.id),
        name,
        fifo: isFifoName(name),
        attributes: { ...defaultAttributes, ...JSON.parse(String(row.attributes)) },
        purgedAt: row.purged_at === null ? null : Number(row.purged_at),
      })
    }
  }
  load()

  const store = (row: QueueRow) => {
    update.run(JSON.stringify(row.attributes), row.purgedAt, row.id)
    rows.set(row.name, row)
  }

  return {
    /** Forgets what a transaction that failed had changed. */
    load,
    names: (): readonly string[] => [...rows.keys()].sort(),
    /** Undefined when there is none. */
    named: (name: string): QueueRow | undefined => rows.get(name),
    /** @throws QueueStoreError when there is none */
    get: (name: string): QueueRow => {
      const row = rows.get(name)
      if (row !== undefined) return row
      throw new QueueStoreError('QUEUE_NOT_FOUND', 'The specified queue does not exist.')
    },
    create(name: string, attributes: Partial<QueueAttributes>): void {
      refuseQueueName(name)
      refuseAttributes(name, attributes)
      const there = rows.get(name)
      if (there !== undefined) {
        if (same(there.attributes, { ...there.attributes, ...attributes })) return
        throw new QueueStoreError(
          'QUEUE_EXISTS',
          'A queue already exists with the same name and a different value for an attribute.',
        )
      }
      const full = { ...defaultAttributes, ...attributes }
      const id = Number(insert.run(name, JSON.stringify(full)).lastInsertRowid)
      rows.set(name, { id, name, fifo: isFifoName(name), attributes: full, purgedAt: null })
    },
    setAttributes(row: QueueRow, attributes: Partial<QueueAttributes>): void {
      refuseAttributes(row.name, attributes)
      store({ ...row, attributes: { ...row.attributes, ...attributes } })
    },
    markPurged: (row: QueueRow, now: number): void => store({ ...row, purgedAt: now }),
    remove(row: QueueRow): void {
      remove.run(row.id)
      rows.delete(row.name)
    },
  }
}

export type QueueRows = ReturnType<typeof queueRows>

function same(one: QueueAttributes, other: QueueAttributes): boolean {
  return (
    one.deadLetter?.queue === other.deadLetter?.queue &&
    one.deadLetter?.maxReceiveCount === other.deadLetter?.maxReceiveCount &&
    Object.entries(one).every(
      ([key, value]) => key === 'deadLetter' || value === other[key as keyof typeof other],
    )
  )
}
