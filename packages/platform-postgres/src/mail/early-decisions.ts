import type { MailStore, RememberedDecision } from '@signalbox/platform-mail/store'
import type { Database } from '../database.ts'

interface Row {
  readonly key: string
  readonly content: string
  readonly failures: number
  readonly failing_for: number | null
  readonly decision: string | null
  readonly stored_as: string | null
  readonly raw: Buffer | null
}

/** The maximum number of decisions that one statement deletes. */
const deletedAtOnce = 1000

const columns = 'key, content, failures, t - first_failed_at as failing_for, decision, stored_as, raw'

// The first decision on the same content stays, and its failures no longer matter.
const put = `
insert into early_decisions as e (key, content, failures, first_failed_at, decision, used_at, raw)
select $1, $2, case when $3::text is null then 1 else 0 end, case when $3 is null then t end, $3, t, $5::bytea
from time_of($4) t
on conflict (key) do update set content = excluded.content, decision = excluded.decision, stored_as = null,
  raw = excluded.raw,
  failures = case when e.decision is null then e.failures else 0 end + excluded.failures,
  first_failed_at = case when e.decision is null then coalesce(e.first_failed_at, excluded.first_failed_at)
    else excluded.first_failed_at end,
  used_at = excluded.used_at
where e.decision is null or e.content <> excluded.content`

/**
 * Returns the part of the store that remembers what was decided before the replies to clients.
 * @param at returns the time for a statement, or null to use the database clock
 */
export function earlyDecisions(
  { query }: Database,
  at: (now: number) => number | null,
): Pick<MailStore, 'earlyDecisions' | 'rememberEarly'> & {
  /** Forgets decisions of at least the given age. `now` is null to use the database clock. */
  readonly forget: (now: number | null, age: number) => Promise<boolean>
} {
  const read = async (keys: readonly string[], now: number): Promise<readonly RememberedDecision[]> => {
    const rows = await query<Row>(
      `select ${columns} from early_decisions, time_of($2) t where key = any($1)`,
      [keys, at(now)],
    )
    return rows.map(({ failing_for, stored_as, decision, raw, ...row }) => ({
      ...row,
      failingFor: Math.max(0, failing_for ?? 0),
      decision: decision ?? undefined,
      storedAs: stored_as ?? undefined,
      raw: raw ?? undefined,
    }))
  }
  return {
    earlyDecisions: read,
    async rememberEarly({ key, content, decision, raw }, now) {
      await query(put, [key, content, decision ?? null, at(now), raw ?? null])
      const [kept] = await read([key], now)
      // Another platform can forget a decision at any time.
      return kept ?? { key, content, failures: 0, failingFor: 0, decision, storedAs: undefined, raw }
    },
    async forget(now, age) {
      const forgotten = await query(
        `delete from early_decisions where key in (
           select key from early_decisions where used_at <= (select time_of($1)) - $2 limit $3) returning 1`,
        [now, Math.ceil(age), deletedAtOnce],
      )
      return forgotten.length === deletedAtOnce
    },
  }
}
