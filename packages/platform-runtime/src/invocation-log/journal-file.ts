import type { DatabaseSync } from 'node:sqlite'
import { wrapFunctions } from '../storage/damaged-file.ts'
import { rollBack } from '../storage/roll-back.ts'
import { entriesIn, unpack } from './block.ts'
import { fromJournal } from './damaged-journal.ts'
import type { InvocationLogEntry, InvocationLogQuery } from './entry.ts'
import { layOut } from './layout.ts'
import type { Block } from './packed-block.ts'

/** A block, without what is in it. */
interface Place {
  readonly last: number
  readonly first: number
  readonly size: number
  readonly newest: number
}

/**
 * The blocks of entries in a database, which is laid out when it is not yet. Ids count up, and are never given again.
 * @param notice is told once of each block that is damaged: its entries are left out
 * @throws UnknownJournalError, and everything throws DamagedJournalError
 */
export function openJournalFile(database: DatabaseSync, notice: (text: string) => void = () => {}) {
  fromJournal(database, () => layOut(database))
  const lastId = database.prepare(`select seq from sqlite_sequence where name = 'blocks'`)
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  const insertBlock = database.prepare(
    'insert into blocks (last, first, size, newest, functions, packed) values (?, ?, ?, ?, ?, ?)',
  )
  const places = database.prepare('select last, first, size, newest from blocks order by last')
  const deleteThrough = database.prepare('delete from blocks where last <= ? and newest < ?')
  const deleteBlock = database.prepare('delete from blocks where last = ?')
  const shorten = database.prepare('update blocks set first = ?, size = size - ? where last = ?')
  const packed = database.prepare('select packed from blocks where last = ?')
  const holding = database.prepare('select last, first from blocks where last >= ? order by last limit 1')
  const later = database.prepare(
    'select last, first, functions from blocks where last > ? order by last desc',
  )

  const told = new Set<number>()

  /** The entries of a block by id, those included that were deleted from it. Undefined for one that is damaged. */
  const read = (last: number) => {
    // Another process may have deleted it by now.
    const block = packed.get(last) as { packed: Uint8Array } | undefined
    if (block === undefined) return []
    try {
      const entries = entriesIn(unpack(block.packed))
      return entries.map((kept, position) => ({ ...kept, id: last - entries.length + 1 + position }))
    } catch {
      if (!told.has(last)) notice(`The invocation log is damaged, and misses entries up to #${last}.`)
      told.add(last)
      return undefined
    }
  }

  /**
   * Deletes entries from the oldest on, and answers what they counted for. Those of one block go one by one, unless
   * it is damaged.
   * @param whole whether a block goes, stays, or is the one that is cut
   * @param before only blocks that started before it go
   */
  const deleteWhile = (
    whole: (place: Place) => 'goes' | 'stays' | 'is cut',
    single: (size: number, started: number) => boolean,
    before: number,
  ): number => {
    let through: number | undefined
    let freed = 0
    let cut: Place | undefined
    for (const place of places.iterate() as Iterable<Place>) {
      const fate = whole(place)
      if (fate === 'is cut') {
        cut = place
        break
      }
      if (fate === 'stays') continue
      through = place.last
      freed += place.size
    }
    if (through !== undefined) deleteThrough.run(through, before)
    if (cut === undefined) return freed
    let first = cut.first
    let gone = 0
    const entries = read(cut.last)
    for (const { id, size, entry } of entries ?? []) {
      if (id < cut.first) continue
      if (!single(size, entry.started)) break
      first = id + 1
      gone += size
    }
    if (first > cut.last || entries === undefined) {
      deleteBlock.run(cut.last)
      return freed + cut.size
    }
    if (gone > 0) shorten.run(first, gone, cut.last)
    return freed + gone
  }

  const file = {
    /** What all entries count for. */
    size: () =>
      (database.prepare('select total(size) as size from blocks').get() as { readonly size: number }).size,

    /** Writes a block, and answers the id of its first entry. */
    insert({ packed: bytes, count, size, newest, functions }: Block): number {
      begin.run()
      try {
        const first = ((lastId.get() as { readonly seq: number } | undefined)?.seq ?? 0) + 1
        insertBlock.run(first + count - 1, first, size, newest, JSON.stringify(functions), bytes)
        commit.run()
        return first
      } catch (error) {
        rollBack(database)
        throw error
      }
    },

    /** Deletes the oldest until so much is free; answers how much is. */
    deleteOldest(size: number): number {
      let left = size
      return deleteWhile(
        place => {
          if (place.size > left) return 'is cut'
          left -= place.size
          return 'goes'
        },
        each => {
          if (left <= 0) return false
          left -= each
          return true
        },
        Number.MAX_SAFE_INTEGER,
      )
    },

    /**
     * Deletes what started before a time, up to the first that did not; answers how much that frees. What was written
     * while the clock was ahead stands in nobody's way.
     */
    deleteBefore(time: number, now: number): number {
      return deleteWhile(
        ({ newest }) => (newest < time ? 'goes' : newest > now ? 'stays' : 'is cut'),
        (_size, started) => started < time,
        time,
      )
    },

    list,
    get,
  }
  return wrapFunctions(file, work => fromJournal(database, work))

  function list({
    after = 0,
    functionName,
    last: most = 100,
  }: InvocationLogQuery): readonly InvocationLogEntry[] {
    const found: InvocationLogEntry[] = []
    const blocks = later.iterate(after) as Iterable<{ last: number; first: number; functions: string }>
    for (const { last, first, functions } of blocks) {
      if (found.length >= most) break
      if (functionName !== undefined && !(JSON.parse(functions) as string[]).includes(functionName)) continue
      for (const { id, entry } of read(last)?.reverse() ?? []) {
        if (id < first || id <= after || found.length >= most) break
        if (functionName === undefined || entry.functionName === functionName) found.push({ id, ...entry })
      }
    }
    return found.reverse()
  }

  function get(id: number): InvocationLogEntry | undefined {
    const block = holding.get(id) as Place | undefined
    if (block === undefined || id < block.first) return undefined
    const kept = read(block.last)?.find(each => each.id === id)
    return kept && { id, ...kept.entry }
  }
}
