import {
  defaultAttributes,
  isFifoName,
  type QueueAttributes,
  queueNotFound,
  type Tags,
} from '@signalbox/platform-queue/store'
import type { Query } from '../database.ts'

/** A row of the queue table. */
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

interface Columns {
  readonly id: number
  readonly name: string
  readonly attributes: string
  readonly tags: string
  readonly created_at: number
  readonly modified_at: number
  readonly purged_at: number | null
}

/** Milliseconds after which the rows are read again even without a notification. */
const longestAge = 5000

export async function readQueues(query: Query): Promise<ReadonlyMap<string, QueueRow>> {
  const rows = await query<Columns>(
    'select id, name, attributes, tags, created_at, modified_at, purged_at from queues order by name',
  )
  return new Map(
    rows.map(row => [
      row.name,
      {
        id: row.id,
        name: row.name,
        fifo: isFifoName(row.name),
        attributes: { ...defaultAttributes, ...(JSON.parse(row.attributes) as Partial<QueueAttributes>) },
        tags: JSON.parse(row.tags) as Tags,
        createdAt: row.created_at,
        modifiedAt: row.modified_at,
        purgedAt: row.purged_at,
      },
    ]),
  )
}

/** Keeps the rows of queues in memory, because every request needs one. Another platform may change them. */
export function cachedQueues(query: Query) {
  let rows: Promise<ReadonlyMap<string, QueueRow>> | undefined
  let readAt = 0

  const load = () => {
    const reading = readQueues(query)
    rows = reading
    readAt = performance.now()
    // The result of a failed read is not cached.
    reading.catch(() => {
      if (rows === reading) rows = undefined
    })
    return reading
  }
  const current = () => (rows === undefined || performance.now() - readAt > longestAge ? load() : rows)

  return {
    /** Reads the rows again at the next use. */
    forget(): void {
      rows = undefined
    },
    all: current,
    /**
     * Returns the row of a queue.
     * @throws QueueStoreError when the queue does not exist
     */
    async get(name: string): Promise<QueueRow> {
      // Another platform may have created the queue just now.
      const row = (await current()).get(name) ?? (await load()).get(name)
      if (row === undefined) throw queueNotFound()
      return row
    },
  }
}
