import type { DatabaseSync } from 'node:sqlite'
import { type Grams, hasAll, unionOf } from './grams.ts'
import { joinedSegment, type Segment } from './segment.ts'

/** The stored segment of some entries. */
export interface SegmentRow extends Segment {
  /** The id of the first entry. */
  readonly first: number
  /** The id of the last entry. */
  readonly last: number
  /** The latest start. */
  readonly newest: number
}

/** A segment with at least this number of entries is not joined with others. */
const largeEnough = 256

/** The number of small segments that are joined into one. */
const joinedAtOnce = 16

/**
 * Opens the table of segments, which is the index of the blocks. A segment usually belongs to one block. It can also
 * belong to several small blocks, because a platform with little work writes a block for each entry. Blocks of the
 * first layout have no segments. Changes must run in a transaction.
 */
export function segmentTable(database: DatabaseSync) {
  const columns = 'last, first, oldest, newest, abouts, columns'
  const insert = database.prepare(
    'insert into segments (last, first, oldest, newest, abouts, columns) values (?, ?, ?, ?, ?, ?)',
  )
  const insertGrams = database.prepare('insert into grams (last, grams) values (?, ?)')
  const newest = database.prepare(
    `select ${columns}, grams from segments join grams using (last) order by last desc limit ${joinedAtOnce}`,
  )
  const remove = database.prepare('delete from segments where last between ? and ?')
  const removeGrams = database.prepare('delete from grams where last between ? and ?')
  const removeUnusedGrams = database.prepare(
    'delete from grams where last < coalesce((select min(first) from blocks), 9007199254740991)',
  )
  const removeUnused = database.prepare(
    'delete from segments where last < coalesce((select min(first) from blocks), 9007199254740991)',
  )
  const before = database.prepare(`select ${columns} from segments where first < ? order by last desc`)
  const gramsBefore = database.prepare('select last, grams from grams where last <= ? order by last desc')
  const containing = database.prepare('select min(last) as last from segments where last >= ?')
  const one = database.prepare(`select ${columns} from segments where last = ?`)
  const firstIndexed = database.prepare('select min(first) as first from segments')
  let smallOnes = 0

  const add = (row: SegmentRow, grams: Grams) => {
    insert.run(row.last, row.first, row.oldest, row.newest, row.abouts, row.columns)
    insertGrams.run(row.last, grams)
  }

  return {
    /** Adds the segment of a new block. */
    add(row: SegmentRow, grams: Grams): void {
      add(row, grams)
      if (row.count >= largeEnough || ++smallOnes < joinedAtOnce) return
      smallOnes = 0
      join(small(newest.all() as unknown as (StoredRow & { readonly grams: Grams })[]))
    },

    /** Deletes the segments of blocks that were deleted. */
    prune(): void {
      removeUnused.run()
      removeUnusedGrams.run()
    },

    /**
     * Yields the segments with entries before an id, the newest first. Yields only the id of the last entry for a
     * segment that lacks one of these hashes.
     */
    *before(id: number, hashes: readonly number[]): Generator<SegmentRow | Pick<SegmentRow, 'last'>> {
      if (hashes.length === 0) {
        for (const row of before.iterate(id) as Iterable<StoredRow>) yield withCount(row)
        return
      }
      const { last: highest } = containing.get(id - 1) as { readonly last: number | null }
      const rows = gramsBefore.iterate(highest ?? Number.MAX_SAFE_INTEGER)
      for (const { last, grams } of rows as Iterable<{ readonly last: number; readonly grams: Grams }>) {
        const row = hasAll(grams, hashes) ? (one.get(last) as StoredRow | undefined) : undefined
        yield row === undefined ? { last } : withCount(row)
      }
    },

    /** Returns the id of the first entry that has a segment. */
    firstIndexed(): number {
      return (firstIndexed.get() as { readonly first: number | null }).first ?? Number.MAX_SAFE_INTEGER
    },
  }

  function join(rows: readonly (StoredRow & { readonly grams: Grams })[]): void {
    if (rows.length < 2) return
    const ordered = rows.toReversed().map(row => ({ ...withCount(row), grams: row.grams }))
    const [{ first }, { last }] = [ordered[0]!, ordered.at(-1)!]
    const segment = joinedSegment(ordered)
    remove.run(first, last)
    removeGrams.run(first, last)
    const latest = Math.max(...ordered.map(row => row.newest))
    add({ ...segment, first, last, newest: latest }, unionOf(ordered.map(row => row.grams)))
  }
}

type StoredRow = Omit<SegmentRow, 'count'>

function withCount(row: StoredRow): SegmentRow {
  return { ...row, count: row.last - row.first + 1 }
}

/** Returns the newest small segments without a gap between their ids, the newest first. */
function small<Row extends StoredRow>(rows: readonly Row[]): readonly Row[] {
  const end = rows.findIndex(
    (row, at) => row.last - row.first + 1 >= largeEnough || (at > 0 && rows[at - 1]!.first !== row.last + 1),
  )
  return end < 0 ? rows : rows.slice(0, end)
}
