import type { DatabaseSync } from 'node:sqlite'
import { correctColumns } from '@signalbox/platform-runtime/storage'
import type { LongestLives } from '../user-pool-store.ts'

const hour = 3_600_000
const day = 24 * hour

/** The columns with times in the past, which become the present if they are in the future. */
const past = {
  users: ['created', 'modified'],
  groups: ['created', 'modified'],
  keys: ['created'],
  messages: ['created'],
  counts: ['since'],
}

/** The columns with times in the future, with the longest duration that any pool has. */
const future = [
  ['counts', 'ends', hour],
  ['messages', 'ends', day],
  ['keys', 'expires', day + hour],
] as const

/**
 * Cuts what was written while the clock was ahead: times in the past to the present, and what expires to its longest
 * duration from now.
 */
export function correctTimes(
  database: DatabaseSync,
  ahead: number,
  now: number,
  lives: ReadonlyMap<string, LongestLives>,
): void {
  correctColumns(database, { past })(ahead, now)
  for (const [table, column, life] of future)
    database.prepare(`update ${table} set ${column} = ? where ${column} > ?`).run(now + life, now + life)
  const password = database.prepare(
    'update users set password_expires = ? where pool = ? and password_expires > ?',
  )
  const credential = database.prepare(
    'update credentials set expires = ? where pool = ? and kind = ? and expires > ?',
  )
  for (const [pool, { temporaryPassword, credentials }] of lives) {
    const longest = now + temporaryPassword
    password.run(longest, pool, longest)
    for (const [kind, life] of Object.entries(credentials)) credential.run(now + life, pool, kind, now + life)
  }
}
