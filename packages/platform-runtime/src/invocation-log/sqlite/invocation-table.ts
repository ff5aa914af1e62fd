import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { InvocationLogEntry, InvocationLogQuery } from '../entry.ts'
import { traceLimit } from '../invocation-log.ts'
import { aboutOf, entryOf, factColumns, type InvocationRow, rootOf } from '../invocation-row.ts'
import type { LogSpan, VisitEntry } from '../scan.ts'
import type { InvocationPage, InvocationSearch } from '../search.ts'
import { conditionsOf, joined, searchSpans } from '../search-spans.ts'
import type { textIndex } from './text-index.ts'

/** A row with its id. */
export type NumberedRow = InvocationRow & { readonly id: number }

type Facts = Pick<InvocationRow, (typeof factColumns)[number]>

/** The maximum number of entries that a scan reads before other work of the process has its turn. */
const scannedAtOnce = 10_000

const latest = Number.MAX_SAFE_INTEGER

const isOneOf = (column: string, list: readonly string[]) => ({
  sql: `${column} in (select value from json_each(?))`,
  values: [JSON.stringify(list)],
})

/**
 * The entries in a prepared database. Changes must run in a transaction.
 * @param notice is called once with a sentence for each damaged entry, which is left out
 */
export function invocationTable(
  database: DatabaseSync,
  index: ReturnType<typeof textIndex>,
  notice: (text: string) => void,
) {
  const lastId = database.prepare('select last_id from invocation_log')
  const setLastId = database.prepare('update invocation_log set last_id = ?')
  const findFact = database.prepare(
    `select fact from facts where ${factColumns.map(name => `${name} is ?`).join(' and ')}`,
  )
  const insertFact = database.prepare(`insert into facts (${factColumns}) values (?, ?, ?, ?, ?, ?, ?)`)
  const insert = database.prepare(
    `insert into invocations
      (id, fact, request_id, attempt, started, duration, is_masked, event, payload, result, logs, rest,
        trace_id, parent_id, links)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const rows = 'select invocations.*, facts.* from invocations join facts using (fact)'
  const one = database.prepare(`${rows} where id = ?`)
  const following = database.prepare(`${rows} where id > ? order by id limit ?`)
  const last = database.prepare(`${rows} where id > ? order by id desc limit ?`)
  const lastOfFunction = database.prepare(
    `${rows} where id in (
      select id from invocations where fact in (select fact from facts where function = ?) and id > ?
      order by id desc limit ?)
    order by id desc`,
  )
  const ofTrace = database.prepare(
    // The index of facts has the time of each entry, so that the first invocation is found without reading entries.
    `${rows} where trace_id = ? or (links is not null and instr(links, ?) > 0)
      or (trace_id is null and substr(request_id, 10) = ? and id in (
        select id from invocations indexed by invocations_by_fact
        where fact in (select fact from facts) and id > 0 and started >= ? and started < ?))
    order by id limit ?`,
  )
  const bounds = database.prepare(
    'select (select min(id) from invocations) as first, last_id as last from invocation_log',
  )
  const boundsNow = () => bounds.get() as { readonly first: number | null; readonly last: number }
  const oldest = (condition: string) =>
    database.prepare(
      `delete from invocations where id in (select id from invocations where ${condition} order by id limit ?)`,
    )
  const removeOldest = oldest('true')
  const removeBefore = oldest(
    `started < ? and id < coalesce(
      (select id from invocations where started >= ? and started <= ? order by id limit 1), ${latest})`,
  )
  const removeUnusedFacts = database.prepare(
    'delete from facts where not exists (select 1 from invocations where invocations.fact = facts.fact)',
  )

  const reported = new Set<number>()

  function* entriesOf(found: Iterable<unknown>): Generator<InvocationLogEntry> {
    for (const row of found as Iterable<NumberedRow>) {
      let entry: InvocationLogEntry
      try {
        entry = entryOf(row)
      } catch {
        if (!reported.has(row.id)) notice(`The invocation log is damaged, and misses the entry #${row.id}.`)
        reported.add(row.id)
        continue
      }
      yield entry
    }
  }

  const put = (id: number, fact: number, row: InvocationRow) => {
    const { trace_id, parent_id, links } = row
    const { request_id, attempt, started, duration, is_masked, event, payload, result, logs, rest } = row
    insert.run(
      id,
      fact,
      request_id,
      attempt,
      started,
      duration,
      is_masked,
      event,
      payload,
      result,
      logs,
      rest,
      ...[trace_id, parent_id, links],
    )
  }

  /**
   * Returns the number of a row's facts.
   * @param known the numbers of facts of earlier rows in the same transaction
   */
  const factOf = (row: Facts, known: Map<string, number>): number => {
    const values = factColumns.map(name => row[name])
    const key = values.join('\0')
    let fact = known.get(key)
    if (fact === undefined) {
      const found = findFact.get(...values) as { readonly fact: number } | undefined
      fact = found?.fact ?? Number(insertFact.run(...values).lastInsertRowid)
      known.set(key, fact)
    }
    return fact
  }

  return {
    /** Adds rows, and returns their ids. */
    add(added: readonly InvocationRow[]): readonly number[] {
      const { last_id } = lastId.get() as { readonly last_id: number }
      const ids: number[] = []
      const facts = new Map<string, number>()
      for (const row of added) {
        const id = last_id + 1 + ids.length
        put(id, factOf(row, facts), row)
        ids.push(id)
      }
      setLastId.run(last_id + added.length)
      return ids
    },

    /** Adds rows whose ids are in ascending order and greater than all earlier ones. */
    addNumbered(added: readonly NumberedRow[]): void {
      const facts = new Map<string, number>()
      for (const row of added) put(row.id, factOf(row, facts), row)
      if (added.length > 0) setLastId.run(added.at(-1)!.id)
    },

    /** Returns the first entries after an id, in the order of their ids. */
    following: (after: number, limit: number): readonly InvocationLogEntry[] => [
      ...entriesOf(following.iterate(after, limit)),
    ],

    list({ after = 0, functionName, last: most = 100 }: InvocationLogQuery): readonly InvocationLogEntry[] {
      const found =
        functionName === undefined
          ? last.iterate(after, most)
          : lastOfFunction.iterate(functionName, after, most)
      return [...entriesOf(found)].reverse()
    },

    get(id: number): InvocationLogEntry | undefined {
      const row = one.get(id)
      return row === undefined ? undefined : [...entriesOf([row])][0]
    },

    trace(traceId: string): readonly InvocationLogEntry[] {
      const { rest, from, to } = rootOf(traceId)
      return [...entriesOf(ofTrace.iterate(traceId, traceId, rest, from, to, traceLimit))]
    },

    search(search: InvocationSearch): Promise<InvocationPage> {
      const { first, last: end } = boundsNow()
      const span = { from: first ?? end + 1, to: Math.min(search.before ?? latest, end + 1) }
      const conditions = conditionsOf(search, isOneOf, column => `instr(${column}, ?)`)
      const [facts, own] = [joined(conditions.facts), joined(conditions.own)]
      const { from = -latest, to = latest } = search
      // The index has everything that these filters need, so that they read no entries.
      const isIndexed = conditions.facts.length > 0 || search.from !== undefined || search.to !== undefined
      const selected = isIndexed
        ? `id in (select id from invocations indexed by invocations_by_fact
            where fact in (select fact from facts where ${facts.sql}) and id >= ? and id < ? and started >= ? and started < ?)`
        : 'id >= ? and id < ?'
      const read = database.prepare(`${rows} where ${selected} and ${own.sql} order by id desc`)
      return searchSpans(search, index.spans(span, search), each => {
        const ids = [each.from, each.to]
        const values = isIndexed ? [...facts.values, ...ids, from, to] : ids
        return entriesOf(read.iterate(...values, ...own.values))
      })
    },

    async scan({ from, to, functionName }: LogSpan, visit: VisitEntry): Promise<void> {
      const some = database.prepare(
        `select id, started, duration from invocations indexed by invocations_by_fact
        where fact = ? and id > ? and started >= ? and started < ? order by id limit ${scannedAtOnce}`,
      )
      const all = database.prepare('select * from facts').all() as unknown as readonly (Facts & {
        fact: number
      })[]
      let scanned = 0
      for (const { fact, ...facts } of all) {
        if (functionName !== undefined && functionName !== facts.function) continue
        const about = aboutOf(facts)
        for (let after = 0; ; ) {
          const found = some.all(fact, after, from, to) as unknown as readonly Pick<
            NumberedRow,
            'id' | 'started' | 'duration'
          >[]
          for (const { started, duration } of found) visit(about, started, duration)
          scanned += found.length
          if (scanned >= scannedAtOnce) {
            await setImmediate()
            scanned = 0
          }
          if (found.length < scannedAtOnce) break
          after = found.at(-1)!.id
        }
      }
    },

    /** Deletes the oldest entries, and returns their number. */
    removeOldest: (count: number): number => Number(removeOldest.run(count).changes),

    /**
     * Deletes the oldest entries that started before a time, and returns their number. Stops at the first one that
     * started later. Ignores those whose start is in the future, because the clock was ahead when they were written.
     */
    removeBefore: (time: number, now: number, count: number): number =>
      Number(removeBefore.run(time, time, now, count).changes),

    /** Deletes the facts that no entry has any more. */
    removeUnusedFacts(): void {
      removeUnusedFacts.run()
    },

    /** Returns the number of ids from the oldest entry to the newest one. */
    length(): number {
      const { first, last: end } = boundsNow()
      return first === null ? 0 : end - first + 1
    },
  }
}
