import { hostname } from 'node:os'
import type { Address } from '@signalbox/platform-runtime'
import type { SharingPlatform } from '@signalbox/platform-runtime/storage'
import type { Database } from './database.ts'
import type { PeriodicWork } from './periodic-work.ts'

/** Milliseconds between two heartbeats. */
const interval = 3000
/** Milliseconds without a heartbeat after which a platform is considered gone. */
const aliveFor = 15_000

/** The presence of this platform among those that share a database. */
export interface Presence {
  /** Announces this platform and its addresses to the other platforms. */
  readonly announce: (addresses: readonly Address[]) => Promise<void>
  /** Removes this platform from the list, so that others can claim its work at once. */
  readonly end: () => Promise<void>
}

/**
 * Adds this platform to those that share the database, and sends heartbeats while it is alive. A platform whose last
 * heartbeat is too old is considered gone: other platforms take over its claims.
 */
export async function presence(
  database: Database,
  periodic: PeriodicWork,
  platformId: string,
): Promise<Presence> {
  let announced: string | null = null
  const sign = async () => {
    await database.query(
      `insert into platforms (id, host, process, started_at, alive_until, addresses)
       select $1, $2, $3, t, t + $4, $5 from time_of(null) t
       on conflict (id) do update set alive_until = excluded.alive_until, addresses = excluded.addresses`,
      [platformId, hostname(), process.pid, aliveFor, announced],
    )
  }
  await sign()
  const stop = [
    periodic.each('presence', interval, sign),
    periodic.onePlatform('platforms that are gone', 60_000, async query => {
      // A platform that was killed before the clock of the database was set back would be alive for too long.
      await query(
        `delete from platforms using time_of(null) t where alive_until not between t - 3600000 and t + ${2 * aliveFor}`,
      )
    }),
  ]
  return {
    async announce(addresses) {
      announced = JSON.stringify(addresses)
      await sign()
    },
    async end() {
      await Promise.all(stop.map(each => each()))
      // Without this deletion, other platforms would have to wait until this one is considered gone.
      await database.query('delete from platforms where id = $1', [platformId]).catch(() => {})
    },
  }
}

/** Returns the running platforms with their addresses. Commands, which also claim work, are not included. */
export async function platformsOf({ query }: Database): Promise<readonly SharingPlatform[]> {
  const rows = await query<Omit<SharingPlatform, 'addresses'> & { readonly addresses: string }>(
    `select host, process, addresses, started_at as started, greatest(0, t - alive_until + $1) as seen,
       alive_until > t as "isAlive"
     from platforms, time_of(null) t where addresses is not null order by started_at, id`,
    [aliveFor],
  )
  return rows.map(row => ({ ...row, addresses: JSON.parse(row.addresses) as readonly Address[] }))
}
