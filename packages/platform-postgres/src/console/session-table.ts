import { type SessionTable, sessionLimits } from '@signalbox/platform-runtime/console'
import type { Database } from '../database.ts'

interface Row {
  readonly keyId: string | null
}

/**
 * Opens the console sessions of all platforms that share a database.
 * @param platformId the platform that creates the links, which become invalid when it ends
 * @param given returns the time that a test sets, or null to use the database clock
 */
export function sessionTable(
  { query }: Database,
  platformId: string,
  given: () => number | null,
): SessionTable {
  const { idle, precision, links } = sessionLimits
  return {
    async addLink(digest) {
      await query(
        `with added as (insert into console_links (digest, platform) values ($1, $2))
         delete from console_links where platform = $2 and number <=
           (select number from console_links where platform = $2 order by number desc offset $3 limit 1)`,
        [digest, platformId, links - 1],
      )
    },
    async useLink(digest) {
      const used = await query(
        `delete from console_links where digest = $1 and exists
           (select from platforms where id = platform and alive_until > time_of(null)) returning 1`,
        [digest],
      )
      return used.length > 0
    },
    async begin(digest, { keyId }) {
      await query(
        `with old as (delete from console_sessions where used_at < time_of($3) - $4)
         insert into console_sessions (digest, key_id, used_at) values ($1, $2, time_of($3))`,
        [digest, keyId ?? null, given(), idle],
      )
    },
    async find(digest) {
      const [row] = await query<Row>(
        `with now as materialized (select time_of($2) as t),
         found as (select key_id, used_at from console_sessions, now where digest = $1 and used_at >= t - $3),
         used as (update console_sessions set used_at = t from now
           where digest = $1 and used_at between t - $3 and t - $4)
         select key_id as "keyId" from found`,
        [digest, given(), idle, precision],
      )
      return row && { keyId: row.keyId ?? undefined }
    },
    async end(digest) {
      await query('delete from console_sessions where digest = $1', [digest])
    },
  }
}
