import type { DatabaseSync } from 'node:sqlite'
import type { Write } from '../../storage/transactions.ts'
import type { Claimed, ClaimedWork, NewWork } from '../work-queue.ts'

/** Creates the table of work. Times are milliseconds since the epoch. */
export const workLayout = `
create table if not exists work (
  number integer primary key autoincrement,
  queue text not null,
  key text not null unique,
  owner text not null,
  data text not null,
  put_at integer not null,
  due_at integer not null,
  tries integer not null default 0
) strict;
create index if not exists work_by_time on work (queue, due_at, number);
create index if not exists work_by_owner on work (owner);
`

/** The columns of the table that contain times. */
export const workTimes = { work: ['put_at', 'due_at'] }

/**
 * Returns the table of work in a SQLite database. Claims are in memory, because only one process claims work of a file:
 * they end with the process. What changes the table is called in a transaction of the caller.
 * @param write runs work in a transaction
 * @param condition an SQL condition that work must meet to be due
 */
export function workTable(database: DatabaseSync, write: Write, condition = 'true') {
  const insertion = 'insert into work (queue, key, owner, data, put_at, due_at) values (?, ?, ?, ?, ?, ?)'
  const insert = database.prepare(insertion)
  const insertOrHasten = database.prepare(
    `${insertion} on conflict (key) do update set due_at = min(due_at, excluded.due_at)`,
  )
  const due = database.prepare(
    `select number, queue, key, owner, data, put_at as putAt, tries + 1 as tries from work
     where queue = ? and due_at <= ? and ${condition} order by due_at, number limit ?`,
  )
  const next = database.prepare(
    `select min(due_at) as at from work where queue = ? and due_at > ? and ${condition}`,
  )
  const countTries = database.prepare('update work set tries = tries + ? where number = ?')
  const retry = database.prepare('update work set data = ?, due_at = ?, tries = 0 where number = ?')
  const remove = database.prepare('delete from work where number = ?')
  const counted = database.prepare('select queue, count(*) as count from work group by queue')
  /**
   * The work that cannot be claimed now, by number: the latest claim, and the time at which the work can be claimed
   * again, which is infinity while the claim lasts.
   */
  const blocked = new Map<number, { readonly claim: number; readonly until: number }>()
  let lastClaim = 0

  const isMine = ({ number, claim }: ClaimedWork): boolean => {
    const last = blocked.get(number)
    return last?.claim === claim && last.until === Number.POSITIVE_INFINITY
  }

  return {
    /** Returns whether a claim lasts. */
    holds: isMine,

    put({ queue, key, owner = '', data }: NewWork, now: number): void {
      insert.run(queue, key, owner, data, Math.floor(now), Math.floor(now))
    },

    /** Puts work into its queue or, if its key exists, makes that work due. */
    putOrHasten({ queue, key, owner = '', data }: NewWork, now: number, dueAt = now): void {
      insertOrHasten.run(queue, key, owner, data, Math.floor(now), Math.floor(dueAt))
    },

    /** Claims work in a transaction of its own. */
    claim(queue: string, now: number, limit: number): Claimed<ClaimedWork> {
      for (const [number, { until }] of blocked) if (until <= now) blocked.delete(number)
      const work: ClaimedWork[] = []
      for (const row of due.all(queue, Math.floor(now), limit + blocked.size) as unknown as ClaimedWork[])
        if (work.length < limit && !blocked.has(row.number)) work.push({ ...row, claim: ++lastClaim })
      if (work.length > 0)
        write(() => {
          for (const { number } of work) countTries.run(1, number)
        }, 'essential')
      for (const { number, claim } of work) blocked.set(number, { claim, until: Number.POSITIVE_INFINITY })
      const { at } = next.get(queue, Math.floor(now)) as { readonly at: number | null }
      let nextAt = at ?? Number.POSITIVE_INFINITY
      // The times that are over have been dropped.
      for (const { until } of blocked.values()) nextAt = Math.min(nextAt, until)
      return { work, nextAt: Number.isFinite(nextAt) ? nextAt : undefined }
    },

    /** Removes work. Returns whether it existed and the claim lasts. */
    finish: (work: ClaimedWork): boolean => isMine(work) && remove.run(work.number).changes > 0,

    retry: (work: ClaimedWork, data: string, dueAt: number): boolean =>
      isMine(work) && retry.run(data, Math.floor(dueAt), work.number).changes > 0,

    /** Takes back that a claim counts as a try. */
    uncount: (work: ClaimedWork): void => void (isMine(work) && countTries.run(-1, work.number)),

    /** Ends a claim, after the transaction with its result. The work can be claimed again at the given time. */
    release(work: ClaimedWork, until?: number): void {
      if (!isMine(work)) return
      if (until === undefined) blocked.delete(work.number)
      else blocked.set(work.number, { claim: work.claim, until })
    },

    counts: (): ReadonlyMap<string, number> =>
      new Map(counted.all().map(({ queue, count }) => [String(queue), Number(count)])),
  }
}
