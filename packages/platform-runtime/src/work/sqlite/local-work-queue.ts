import type { DatabaseSync } from 'node:sqlite'
import { damageReporter } from '../../storage/damaged-file.ts'
import { durability } from '../../storage/durability.ts'
import { freeSpaceOf, type Need } from '../../storage/free-space.ts'
import { groupCommit } from '../../storage/group-commit.ts'
import { correctColumns, latestTime } from '../../storage/latest-time.ts'
import { transactions } from '../../storage/transactions.ts'
import type { WorkQueue } from '../work-queue.ts'
import { workTable, workTimes } from './work-table.ts'

/** How a database of work is opened. */
interface LocalWork {
  /** The contents of the database, such as `The events`, for reports about damage. */
  readonly what: string
  /** Creates the tables `work` and `latest_time`. */
  readonly layOut: (database: DatabaseSync) => void
  /** Creates the error for a full disk. */
  readonly whenFull: (options?: ErrorOptions) => Error
}

/**
 * Keeps work in a SQLite database of its own, on disk or in memory. If the clock was set back while no process used the
 * database, nothing waits longer than when it was stored.
 */
export function localWorkQueue(
  database: DatabaseSync,
  { what, layOut, whenFull }: LocalWork,
  now: number,
  measure = freeSpaceOf,
): WorkQueue {
  const damage = damageReporter(what, 'Restore a copy of the file, or move it away to start without them.')
  return damage.open(database, () => {
    layOut(database)
    return opened(database, whenFull, now, measure)
  })
}

function opened(
  database: DatabaseSync,
  whenFull: LocalWork['whenFull'],
  start: number,
  measure: typeof freeSpaceOf,
): WorkQueue {
  const onDisk = durability(database)
  const space = measure(database)
  const write = transactions(database, whenFull, space)
  const share = groupCommit(write, onDisk)
  const latest = latestTime(database)
  latest.correct(start, correctColumns(database, { past: {}, due: workTimes }))
  const table = workTable(database, write)

  const change = <T>(now: number, work: () => T, need: Need = 'essential'): Promise<T> =>
    share(() => {
      latest.write(now)
      return work()
    }, need)

  return {
    put: (work, now) => change(now, () => table.put(work, now), { bytes: work.data.length }),
    claim: async (queue, now, limit) => table.claim(queue, now, limit),
    async finish(work, now) {
      const wasMine = await change(now, () => table.finish(work))
      table.release(work)
      space.returnPages()
      return wasMine
    },
    async retry(work, data, dueAt, now) {
      const wasMine = await change(now, () => table.retry(work, data, dueAt))
      table.release(work)
      return wasMine
    },
    giveBack: async (work, dueAt) => table.release(work, dueAt),
    async unclaim(work) {
      await share(() => table.uncount(work), 'essential')
      table.release(work)
    },
    counts: async () => table.counts(),
    watch: () => () => {},
    async clear() {
      await share(() => void database.exec('delete from work'), 'essential')
      space.returnPages()
    },
    close: async () => database.close(),
  }
}
