import type { DatabaseSync } from 'node:sqlite'
import type { DecisionName, EarlyAttempt, RememberedDecision } from '../early-decision.ts'

interface Row {
  readonly key: string
  readonly content: string
  readonly failures: number
  readonly first_failed_at: number | null
  readonly decision: string | null
  readonly stored_as: string | null
  readonly raw: Uint8Array | null
}

/** The maximum number of decisions that one transaction deletes. All other work waits for the transaction. */
const deletedAtOnce = 1000

/** Returns access to the table of early decisions. */
export function earlyDecisionRows(database: DatabaseSync) {
  const one = database.prepare('select * from early_decisions where key = ?')
  // The first decision on the same content stays, and its failures no longer matter.
  const put = database.prepare(
    `insert into early_decisions as e (key, content, failures, first_failed_at, decision, used_at, raw)
     values (?, ?, ?, ?, ?, ?, ?)
     on conflict (key) do update set content = excluded.content, decision = excluded.decision, stored_as = null,
       raw = excluded.raw,
       failures = case when e.decision is null then e.failures else 0 end + excluded.failures,
       first_failed_at = case when e.decision is null then ifnull(e.first_failed_at, excluded.first_failed_at)
         else excluded.first_failed_at end,
       used_at = excluded.used_at
     where e.decision is null or e.content <> excluded.content`,
  )
  const store = database.prepare(
    `update early_decisions set stored_as = ?, raw = case when ? then raw end
     where key = ? and content = ? and stored_as is null and decision is not null`,
  )
  const kept = database.prepare(
    'select 1 from early_decisions where key = ? and content = ? and decision is not null',
  )
  const forget = database.prepare(
    'delete from early_decisions where key in (select key from early_decisions where used_at <= ? limit ?)',
  )
  const read = (key: string, now: number): RememberedDecision | undefined => {
    const row = one.get(key) as unknown as Row | undefined
    return (
      row && {
        ...{ key, content: row.content, failures: row.failures },
        failingFor: row.first_failed_at === null ? 0 : Math.max(0, Math.floor(now) - row.first_failed_at),
        ...{ decision: row.decision ?? undefined, storedAs: row.stored_as ?? undefined },
        raw:
          row.raw === null ? undefined : Buffer.from(row.raw.buffer, row.raw.byteOffset, row.raw.byteLength),
      }
    )
  }
  return {
    read,
    put({ key, content, decision, raw }: EarlyAttempt, now: number): RememberedDecision {
      const at = Math.floor(now)
      const [failures, failedAt] = decision === undefined ? [1, at] : [0, null]
      put.run(key, content, failures, failedAt, decision ?? null, at, raw ?? null)
      return read(key, now)!
    },
    isKept: ({ key, content }: DecisionName): boolean => kept.get(key, content) !== undefined,
    /** Returns whether no mail was stored for this decision before. */
    store: ({ key, content }: DecisionName, mail: string, keepsContent: boolean): boolean =>
      store.run(mail, keepsContent ? 1 : 0, key, content).changes > 0,
    /** Returns whether there may be more to forget. */
    forget: (until: number): boolean => Number(forget.run(until, deletedAtOnce).changes) === deletedAtOnce,
  }
}
