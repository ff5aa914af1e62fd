import type { DatabaseSync } from 'node:sqlite'
import { asInJson } from '../invocation-row.ts'
import type { InvocationFilters } from '../search.ts'
import { type IdSpan, partsOf } from '../search-spans.ts'

/** The number of successive ids that have one row in the index. Similar entries share most of their trigrams. */
const idsInRow = 64

/** The least number of ids in one table of the index. */
const idsInTable = 1024

/** The number of trigrams of a searched text that the index looks up. */
const mostTrigrams = 64

/** The number of index rows that one statement finds. */
const rowsAtOnce = 200

/** A table of the index, which starts at an id. */
interface IndexTable {
  readonly name: string
  readonly first: number
}

/** Returns whether this version of Node has the full-text search of SQLite. */
export function hasFullTextSearch(database: DatabaseSync): boolean {
  return database.prepare("select 1 from pragma_module_list where name = 'fts5'").get() !== undefined
}

/**
 * The full-text index over the trigrams of the entries. It tells which rows of 64 ids may have a text. Entries get into it
 * later, when there is time, and a search reads newer entries themselves. It consists of several tables, the next of which
 * begins when one has a quarter of all entries, because dropping a table is much cheaper than deleting its rows. Without
 * full-text search, a search reads all entries.
 */
export function textIndex(database: DatabaseSync, isAvailable = hasFullTextSearch(database)) {
  const state = database.prepare('select last_id, indexed from invocation_log')
  const setIndexed = database.prepare('update invocation_log set indexed = ?')
  const firstFrom = database.prepare('select min(id) as id from invocations where id >= ?')
  const names = database.prepare(
    `select name from sqlite_schema where sql like 'create virtual table searched_%' order by rowid`,
  )

  const tables = (): readonly IndexTable[] =>
    (names.all() as unknown as readonly { readonly name: string }[])
      .map(({ name }) => ({ name, first: Number(name.split('_')[1]) }))
      .sort((one, other) => one.first - other.first)
  const idFrom = (id: number) => (firstFrom.get(id) as { readonly id: number | null }).id
  const stateNow = () => state.get() as { readonly last_id: number; readonly indexed: number }

  const tableFor = (id: number, entries: number): string => {
    const newest = tables().at(-1)
    if (newest !== undefined && id - newest.first < Math.max(idsInTable, entries / 4)) return newest.name
    const name = `searched_${id}`
    database.exec(
      `create virtual table ${name} using fts5 (text, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1')`,
    )
    return name
  }

  return {
    /** Returns whether there are entries to add. */
    isBehind(): boolean {
      if (!isAvailable) return false
      const { last_id, indexed } = stateNow()
      return last_id >= indexed + idsInRow
    },

    /** Adds the next entries. Must run in a transaction. */
    grow(): void {
      const { last_id, indexed } = stateNow()
      const next = idFrom(indexed) ?? last_id + 1
      const from = next - (next % idsInRow)
      const to = from + idsInRow
      if (last_id < to - 1) {
        // Ids have gaps where entries were deleted.
        setIndexed.run(Math.max(from, indexed))
        return
      }
      const name = tableFor(from, last_id - (idFrom(0) ?? from))
      database
        .prepare(
          `insert into ${name} (rowid, text)
          select ?, group_concat(request_id || char(10) || event || char(10) || payload || char(10) || result || char(10) || logs, char(10))
          from invocations where id >= ? and id < ?`,
        )
        .run(from / idsInRow, Math.max(from, indexed), to)
      setIndexed.run(to)
    },

    /** Drops the tables without entries. Must run in a transaction. */
    prune(): void {
      if (!isAvailable) return
      const first = idFrom(0) ?? stateNow().last_id + 1
      const all = tables()
      for (const [at, { name }] of all.entries())
        if ((all[at + 1]?.first ?? Number.POSITIVE_INFINITY) <= first) database.exec(`drop table ${name}`)
    },

    /** Yields the ranges of ids in which entries may pass the filters, the last one first. */
    *spans({ from: first, to: end }: IdSpan, filters: InvocationFilters): Generator<IdSpan> {
      const match = isAvailable ? matchOf(filters) : undefined
      if (match === undefined) return yield* partsOf({ from: first, to: end })
      const { indexed } = stateNow()
      yield* partsOf({ from: Math.max(first, indexed), to: end })
      for (const { name } of tables().toReversed()) {
        const rows = database.prepare(
          `select rowid as row from ${name} where ${name} match ? and rowid < ? order by rowid desc limit ${rowsAtOnce}`,
        )
        for (let before = Math.ceil(Math.min(end, indexed) / idsInRow); ; ) {
          const found = rows.all(match, before) as unknown as readonly { readonly row: number }[]
          for (const { row } of found) {
            const span = { from: Math.max(row * idsInRow, first), to: Math.min((row + 1) * idsInRow, end) }
            if (span.from < span.to) yield span
          }
          if (found.length < rowsAtOnce) break
          before = found.at(-1)!.row
        }
      }
    },
  }
}

/**
 * Returns the search of the index for the text and the request id of a filter. Returns undefined when the index does not
 * help, because they are too short.
 */
function matchOf({ text, requestId }: InvocationFilters): string | undefined {
  const texts = text === undefined ? [] : [...new Set([text, asInJson(text)])].map(trigramsOf)
  const all = [
    texts.some(each => each === '') ? '' : texts.map(each => `(${each})`).join(' OR '),
    requestId === undefined ? '' : trigramsOf(requestId),
  ].filter(part => part !== '')
  return all.length === 0 ? undefined : all.map(part => `(${part})`).join(' AND ')
}

function trigramsOf(text: string): string {
  const characters = [...text.slice(0, 2 * mostTrigrams)]
  const trigrams = new Set<string>()
  for (let at = 0; at + 3 <= characters.length && trigrams.size < mostTrigrams; at++) {
    const trigram = characters.slice(at, at + 3).join('')
    // No stored text has such characters.
    if (trigram.isWellFormed() && !trigram.includes('\0')) trigrams.add(`"${trigram.replaceAll('"', '""')}"`)
  }
  return [...trigrams].join(' AND ')
}
