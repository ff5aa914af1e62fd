import { hostname } from 'node:os'
import type { Database } from './database.ts'
import type { PeriodicWork } from './periodic-work.ts'

/** Milliseconds between two signs of life, and until a platform without one counts as gone. */
const interval = 3000
const aliveFor = 15_000

/** The presence of this platform among those that share a database. */
export interface Presence {
  /** Leaves: what this platform has claimed is free at once. */
  readonly end: () => Promise<void>
}

/**
 * Enters this platform among those that share the database, and keeps it there while it is alive. A platform whose last
 * sign of life is too old is gone: others take over what it has claimed.
 */
export async function presence(
  database: Database,
  periodic: PeriodicWork,
  platformId: string,
): Promise<Presence> {
  const sign = async () => {
    await database.query(
      `insert into platforms as p (id, host, process, started_at, alive_until) select $1, $2, $3, t, t + $4 from time_of(null) t
       on conflict (id) do update set alive_until = greatest(p.alive_until, excluded.alive_until)`,
      [platformId, hostname(), process.pid, aliveFor],
    )
  }
  await sign()
  const stop = [
    periodic.each('presence', interval, sign),
    periodic.onePlatform('platforms that are gone', 60_000, async () => {
      await database.query('delete from platforms where alive_until < time_of(null) - 3600000')
    }),
  ]
  return {
    async end() {
      await Promise.all(stop.map(each => each()))
      // Without this, others wait until it counts as gone.
      await database.query('delete from platforms where id = $1', [platformId]).catch(() => {})
    },
  }
}
