import type { Database, Query } from '../database.ts'
import { type RecipientRow, recipientsOf } from './recipient-rows.ts'

/** A row of work, with the number of the claim on it. */
export interface HasClaim {
  readonly claim: number
}

/** A table of work, with the query that claims its due rows. */
interface Claimable<Row> {
  readonly query: string
  readonly table: 'invocations' | 'deliveries'
  readonly column: 'function' | 'carrier'
  readonly mailOf: (row: Row) => string
}

/** Rows of work that this platform has claimed, with the recipients of their mails. */
interface ClaimedRows<Row> {
  readonly rows: readonly Row[]
  readonly recipients: readonly RecipientRow[]
  /** The time at which more work is due. Milliseconds since the epoch, by the caller's clock. */
  readonly nextAt: number | undefined
}

/** The claims that this platform has on work. */
export interface Claims {
  /** Claims the due work of a function or a carrier. */
  readonly claimDue: <Row extends HasClaim>(
    of: Claimable<Row>,
    name: string,
    now: number,
    limit: number,
  ) => Promise<ClaimedRows<Row>>
  /** Runs `change` and ends the claim. The change must have no effect if the claim is no longer the latest one. */
  readonly conclude: (work: object, change: (run: Query, claim: number) => Promise<void>) => Promise<void>
  /** Ends a claim without a result. The work is due again after a number of milliseconds, or at a given time. */
  readonly returnClaim: (
    work: object,
    due: { readonly after: number } | { readonly at: number },
  ) => Promise<void>
}

/**
 * Returns the claims of a platform. Work that a platform has claimed is due again when that platform is gone. Claim
 * numbers increase. A platform that was paused for a long time has an old number, with which it cannot change
 * anything.
 * @param at returns the time for a statement, or null to use the database clock
 */
export function claims(
  { query, transaction }: Database,
  platformId: string,
  at: (now: number) => number | null,
): Claims {
  /** The claims that this platform works on. */
  const held = new Set<number>()
  const claimOf = (work: object) => (work as Partial<HasClaim>).claim ?? 0
  return {
    async claimDue({ query: claimQuery, table, column, mailOf }, name, now, limit) {
      type Row = Parameters<typeof mailOf>[0]
      const rows = await query<Row>(claimQuery, [name, at(now), limit, platformId, [...held]])
      const recipients = rows.length === 0 ? [] : await recipientsOf(query, rows.map(mailOf))
      const [next] = await query<{ wait: number | null }>(
        `select min(greatest(next_at, blocked_until)) - t as wait from time_of($2) t, ${table}
         where ${column} = $1 and greatest(next_at, blocked_until) > t and mail not in (select mail from held) group by t`,
        [name, at(now)],
      )
      // The claims are recorded only after all queries, so that this platform can claim the work again when a query
      // fails.
      for (const row of rows) held.add(row.claim)
      return { rows, recipients, nextAt: next?.wait == null ? undefined : next.wait + now }
    },

    async conclude(work, change) {
      const claim = claimOf(work)
      try {
        await transaction(run => change(run, claim))
      } finally {
        // If the change failed, the work can be claimed again.
        held.delete(claim)
      }
    },

    async returnClaim(work, due) {
      const claim = claimOf(work)
      held.delete(claim)
      const table = 'carrier' in work ? 'deliveries' : 'invocations'
      const until = 'at' in due ? '$2::bigint' : 'time_of(null) + greatest(0, $2::bigint)'
      await query(
        `update ${table} set blocked_until = ${until}, claimed_by = null, claim = null where claim = $1`,
        [claim, Math.ceil('at' in due ? due.at : due.after)],
      )
    },
  }
}
