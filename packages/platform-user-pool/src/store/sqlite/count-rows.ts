import type { DatabaseSync } from 'node:sqlite'
import { lockTime, longestLock } from '../lockout.ts'
import type { CountLimit } from '../user-pool-store.ts'

interface Row {
  readonly count: number
  readonly since: number
  readonly ends: number
}

/** Returns the operations that count wrong passwords and rate-limited actions. */
export function countRows(database: DatabaseSync) {
  const get = database.prepare('select count, since, ends from counts where pool = ? and key = ?')
  const put = database.prepare('insert or replace into counts values (?, ?, ?, ?, ?)')
  const remove = database.prepare('delete from counts where pool = ? and key = ?')
  const clean = database.prepare(
    'delete from counts where (pool, key) in (select pool, key from counts where ends <= ? limit 20)',
  )
  const read = (pool: string, key: string, now: number): Row | undefined => {
    const row = get.get(pool, key) as Row | undefined
    return row === undefined || row.ends <= now ? undefined : row
  }
  const isLocked = (pool: string, key: string, now: number): boolean => {
    const row = read(pool, key, now)
    return row !== undefined && row.since + lockTime(row.count) > now
  }
  return {
    isLocked,
    wrong(pool: string, key: string, now: number): void {
      clean.run(now)
      put.run(pool, key, (read(pool, key, now)?.count ?? 0) + 1, now, now + longestLock)
    },
    right: (pool: string, key: string): void => void remove.run(pool, key),
    count(pool: string, key: string, { most, window }: CountLimit, now: number): boolean {
      const row = read(pool, key, now)
      if (row !== undefined && row.count >= most) return false
      clean.run(now)
      put.run(pool, key, (row?.count ?? 0) + 1, row?.since ?? now, row?.ends ?? now + window)
      return true
    },
  }
}
