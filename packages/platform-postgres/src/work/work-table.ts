import type { Claimed, ClaimedWork, NewWork } from '@signalbox/platform-runtime/work'
import type { Query } from '../database.ts'
import { type Place, rowsOf } from '../statement-values.ts'
import { turns } from '../turns.ts'

interface Row extends Omit<ClaimedWork, 'putAt'> {
  /** The time of the claim by the clock of the database. */
  readonly t: number
  /** Milliseconds since the work was put into the queue. */
  readonly age: number
}

/** The only row when there is nothing to claim. */
interface NoRow extends Pick<Row, 't'> {
  readonly number: null
}

/** The maximum number of milliseconds after which work that is put to be due soon is due. */
const soon = 2000

/** The claims of a platform on the work in a table. Every function runs its statements in a transaction of the caller. */
export type WorkTable = ReturnType<typeof workTable>

/**
 * Returns a table of work with the claims of a platform. Work that a platform has claimed is due again when that
 * platform is gone. Claim numbers increase. A platform that was paused for a long time has an old number, with which it
 * cannot change anything.
 * @param at returns the time for a statement, or null to use the database clock
 * @param condition an SQL condition that work must meet to be due
 */
export function workTable(
  table: string,
  platformId: string,
  at: (now: number) => number | null,
  condition = 'true',
) {
  /** The claims that this platform works on. */
  const held = new Set<number>()
  /** A claim on a queue waits for the one before, because until its answer its work seems to be lost. */
  const inTurn = turns()
  const insertion = `
    insert into ${table} as w (queue, key, owner, data, put_at, due_at) select $1, $2, $3, $4, t, t from time_of($5) t`
  // A row is returned in any case, because it has the time up to which work was claimed.
  const claimDue = `
    with n as materialized (select time_of($2) as t), due as materialized (
      select number from ${table} w
      where queue = $1 and due_at <= (select t from n) and ${condition} and is_claimable(claimed_by, claim, $4, $5::bigint[])
      order by due_at, number limit $3 for update of w skip locked
    ), claimed as (
      update ${table} w set claimed_by = $4, claim = nextval('claims'), tries = tries + 1
      from due where w.number = due.number returning w.*
    )
    select t, number, queue, key, owner, data, t - put_at as age, tries, claim
    from n left join claimed on true order by due_at, number`
  // The server reads one row of the index. With min(), or with a join to the time, it would read all that wait.
  const nextDue = `
    select due_at - $2::bigint as wait from ${table}
    where queue = $1 and due_at > $2::bigint and ${condition} order by due_at limit 1`
  const hastening = `
    with late as materialized (
      select number from ${table} where put_at > $1::bigint and due_at <= put_at + $2::bigint for update skip locked
    )
    update ${table} w set put_at = $1::bigint, due_at = least(due_at, $1::bigint) from late where w.number = late.number`
  /** The time of the database at the last look, and how often the table has to be read for late work. */
  let [seen, reads] = [0, 1]
  const isMine = 'number = $1 and claim = $2'
  const unclaimed = 'claimed_by = null, claim = null'

  /** Ends a claim. If the statement fails, this platform can claim the work again. Returns whether rows were changed. */
  const ended = async (claim: number, rows: ReturnType<Query>): Promise<boolean> => {
    try {
      return (await rows).length > 0
    } finally {
      held.delete(claim)
    }
  }

  const claimNow = async (
    run: Query,
    queue: string,
    now: number,
    limit: number,
  ): Promise<Claimed<ClaimedWork>> => {
    const found = await run<Row | NoRow>(claimDue, [queue, at(now), limit, platformId, [...held]])
    const rows = found.filter(row => row.number !== null)
    // The time is that of the claim: work that has become due since then was not claimed.
    const [next] = await run<{ wait: number }>(nextDue, [queue, found[0]!.t])
    // The claims are recorded only after all queries, so that this platform can claim the work again when a query
    // fails.
    for (const { claim } of rows) held.add(claim)
    return {
      work: rows.map(({ t: _, age, ...row }) => ({ ...row, putAt: now - age })),
      nextAt: next && now + next.wait,
    }
  }

  return {
    /** Puts work into its queue. */
    async put(run: Query, { queue, key, owner = '', data }: NewWork, now: number): Promise<void> {
      await run(insertion, [queue, key, owner, data, at(now)])
    },

    /** Puts work into its queue or, if its key exists, makes that work due. */
    async putOrHasten(run: Query, { queue, key, owner = '', data }: NewWork, now: number): Promise<void> {
      await run(`${insertion} on conflict (key) do update set due_at = least(w.due_at, excluded.due_at)`, [
        ...[queue, key, owner, data],
        at(now),
      ])
    },

    claim: (run: Query, queue: string, now: number, limit: number): Promise<Claimed<ClaimedWork>> =>
      inTurn(queue, () => claimNow(run, queue, now, limit)),

    /** Returns whether a claim is the latest one on its work, and locks the work. */
    holds: async (run: Query, { number, claim }: ClaimedWork): Promise<boolean> =>
      (await run(`select from ${table} where ${isMine} for update`, [number, claim])).length > 0,

    /** Removes work. Returns whether the claim was the latest one. */
    finish: (run: Query, { number, claim }: ClaimedWork): Promise<boolean> =>
      ended(claim, run(`delete from ${table} where ${isMine} returning 1`, [number, claim])),

    retry: (
      run: Query,
      { number, claim }: ClaimedWork,
      data: string,
      dueAt: number,
      now: number,
    ): Promise<boolean> =>
      ended(
        claim,
        run(
          `update ${table} set data = $3, due_at = time_of($4) + $5::bigint, tries = 0, ${unclaimed}
           where ${isMine} returning 1`,
          [number, claim, data, at(now), Math.ceil(dueAt - now)],
        ),
      ),

    async giveBack(run: Query, { number, claim }: ClaimedWork, dueAt: number, now: number): Promise<void> {
      await ended(
        claim,
        run(`update ${table} set due_at = time_of($3) + $4::bigint, ${unclaimed} where ${isMine}`, [
          number,
          claim,
          at(now),
          Math.ceil(dueAt - now),
        ]),
      )
    },

    async unclaim(run: Query, { number, claim }: ClaimedWork): Promise<void> {
      const text = `update ${table} set tries = tries - 1, ${unclaimed} where ${isMine}`
      await ended(claim, run(text, [number, claim]))
    },

    /**
     * Makes work due that was put into its queue, to be due at once, by a clock of the database that was set back since.
     * The table is read at the first call, and twice after the clock was set back: statements that read the time before may
     * still run.
     */
    async correct(run: Query): Promise<void> {
      const [{ t }] = (await run<{ t: number }>('select time_of(null) as t')) as [{ t: number }]
      if (t < seen) reads = 2
      seen = t
      if (reads === 0) return
      await run(hastening, [t, soon])
      reads--
    },

    /** Parts of a statement. Those that change work do so if its part `gate` has a row. Times are those of the database. */
    parts: {
      /** A condition: a claim is the latest one on its work. */
      isHeld: (place: Place, { number, claim }: ClaimedWork): string =>
        `exists (select from ${table} where number = ${place(number)} and claim = ${place(claim)})`,

      /** Puts work into its queue. Work whose key exists becomes due. */
      putOrHasten: (
        place: Place,
        now: number,
        all: readonly { readonly work: NewWork; readonly dueAt: number }[],
      ): string => {
        const columns = { queue: 'text', key: 'text', owner: 'text', data: 'text', due_at: 'bigint' } as const
        const rows = all.map(({ work: { queue, key, owner = '', data }, dueAt }) => [
          ...[queue, key, owner, data],
          Math.ceil(dueAt),
        ])
        return `insert into ${table} as w (queue, key, owner, data, put_at, due_at)
          select queue, key, owner, data, ${place(now)}, due_at from gate, ${rowsOf(place, columns, rows)}
          on conflict (key) do update set due_at = least(w.due_at, excluded.due_at)`
      },

      /** Ends a claim, after which the work is due at a time. */
      release: (place: Place, { number, claim }: ClaimedWork, dueAt: number): string =>
        `update ${table} set data = '', due_at = ${place(Math.ceil(dueAt))}, tries = 0, ${unclaimed} from gate
         where number = ${place(number)} and claim = ${place(claim)}`,

      finish: (place: Place, { number, claim }: ClaimedWork): string =>
        `delete from ${table} using gate where number = ${place(number)} and claim = ${place(claim)}`,
    },

    /** Forgets claims on work that this platform does not begin, so that it can claim the work again. */
    forget(works: readonly ClaimedWork[]): void {
      for (const { claim } of works) held.delete(claim)
    },
  }
}
