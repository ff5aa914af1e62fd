import type { DatabaseSync } from 'node:sqlite'
import { damageReporter, wrapFunctions } from '../../storage/damaged-file.ts'
import { freeSpaceOf } from '../../storage/free-space.ts'
import { hasSpaceFor, type Need, transactions } from '../../storage/transactions.ts'
import type { InvocationLogEntry, InvocationLogQuery } from '../entry.ts'
import type { LogSpan, VisitEntry } from '../scan.ts'
import { severityOf } from '../severity.ts'
import { entriesIn, unpack } from './block.ts'
import { type BlockSpan, blockSearch } from './block-search.ts'
import { prepareDatabase } from './layout.ts'
import type { Block } from './packed-block.ts'
import { readSegment } from './segment.ts'
import { segmentTable } from './segment-table.ts'

/** The row of a block, without its entries. */
interface BlockRow extends BlockSpan {
  readonly size: number
  readonly newest: number
}

/** A block whose entries have ids already. */
export interface NumberedBlock {
  /** The id of the first entry. */
  readonly first: number
  readonly block: Block
}

/** Returns the approximate size of a block with its index in bytes. */
function sizeOnDisk({ packed, grams, segment }: Block): number {
  return packed.byteLength + grams.byteLength + segment.columns.byteLength
}

function needOf(block: Block): Need {
  return { kind: 'log', bytes: sizeOnDisk(block) }
}

const reportDamage = damageReporter('The invocations', 'Move the file away, and a new log begins.')

/**
 * Opens the table of blocks, and creates it in a new database. Each function throws DamagedFileError.
 * @param notice is called once for each damaged block, whose entries are left out
 * @throws UnknownLayoutError, DamagedFileError
 */
export function blockTable(
  database: DatabaseSync,
  notice: (text: string) => void = () => {},
  measure = freeSpaceOf,
) {
  reportDamage(database, () => prepareDatabase(database))
  const space = reportDamage(database, () => measure(database))
  const inTransaction = reportDamage(database, () =>
    transactions(database, options => new Error('the disk is full', options), space),
  )
  const lastId = database.prepare(`select seq from sqlite_sequence where name = 'blocks'`)
  const insertBlock = database.prepare(
    'insert into blocks (last, first, size, newest, functions, packed) values (?, ?, ?, ?, ?, ?)',
  )
  const rows = database.prepare('select last, first, size, newest from blocks order by last')
  const deleteThrough = database.prepare('delete from blocks where last <= ? and newest < ?')
  const deleteBlock = database.prepare('delete from blocks where last = ?')
  const shorten = database.prepare('update blocks set first = ?, size = size - ? where last = ?')
  const packed = database.prepare('select packed from blocks where last = ?')
  const nextEnd = database.prepare('select last, first from blocks where last >= ? order by last limit 1')
  const later = database.prepare(
    'select last, first, functions from blocks where last > ? order by last desc',
  )

  const following = database.prepare('select last, first from blocks where last > ? order by last')

  const segments = segmentTable(database)
  const firstKept = database.prepare('select min(first) as first from blocks')
  const beginBefore = database.prepare('select last, first from blocks where first < ? order by last desc')

  const holding = (id: number) => {
    const block = nextEnd.get(id) as BlockSpan | undefined
    return block === undefined || id < block.first ? undefined : block
  }

  /** Returns the blocks that begin before an id, the last one first. */
  const earlier = (id: number) => beginBefore.iterate(id) as Iterable<BlockSpan>

  const reported = new Set<number>()

  /**
   * Returns the entries of a block with their ids, including deleted entries. Returns undefined for a damaged block.
   * @param wanted returns whether a block with this text may contain wanted entries
   */
  const read = (last: number, wanted: (text: string) => boolean = () => true) => {
    // Another process may have deleted the block.
    const block = packed.get(last) as { packed: Uint8Array } | undefined
    if (block === undefined) return []
    try {
      const text = unpack(block.packed)
      if (!wanted(text)) return []
      const entries = entriesIn(text)
      return entries.map((kept, position) => ({ ...kept, id: last - entries.length + 1 + position }))
    } catch {
      if (!reported.has(last)) notice(`The invocation log is damaged, and misses entries up to #${last}.`)
      reported.add(last)
      return undefined
    }
  }

  /**
   * Deletes the oldest entries, and returns their size. In the last affected block, only some entries are deleted,
   * unless the block is damaged.
   * @param whole returns whether to delete a block, keep it, delete only some of its entries and stop, or stop at once
   * @param single returns whether to delete an entry of a block of which only some entries are deleted
   * @param before only blocks whose newest entry started before this time are deleted whole
   */
  const deleteWhile = (
    whole: (row: BlockRow) => 'delete' | 'keep' | 'cut' | 'stop',
    single: (size: number, started: number) => boolean,
    before: number,
  ): number => {
    let through: number | undefined
    let freed = 0
    let cut: BlockRow | undefined
    for (const row of rows.iterate() as Iterable<BlockRow>) {
      const action = whole(row)
      if (action === 'stop') break
      if (action === 'cut') {
        cut = row
        break
      }
      if (action === 'keep') continue
      through = row.last
      freed += row.size
    }
    if (through !== undefined) {
      deleteThrough.run(through, before)
      segments.prune()
    }
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

  const deleting = (...args: Parameters<typeof deleteWhile>): number =>
    inTransaction(() => deleteWhile(...args), 'essential')

  const add = (first: number, { packed: bytes, count, size, newest, functions, segment, grams }: Block) => {
    const last = first + count - 1
    insertBlock.run(last, first, size, newest, JSON.stringify(functions), bytes)
    segments.add({ ...segment, first, last, newest }, grams)
  }

  const table = {
    /** Returns the size of all entries in bytes. */
    size: () =>
      (database.prepare('select total(size) as size from blocks').get() as { readonly size: number }).size,

    /** Returns whether a block fits on the disk, or into the space of deleted blocks. */
    hasSpaceFor: (block: Block): boolean => hasSpaceFor(space, needOf(block)),

    /** Writes a block, and returns the id of its first entry. */
    insert(block: Block): number {
      return inTransaction(() => {
        const first = ((lastId.get() as { readonly seq: number } | undefined)?.seq ?? 0) + 1
        add(first, block)
        return first
      }, needOf(block))
    },

    /**
     * Writes all blocks, or none of them if an error occurs. Their ids are in order and greater than those of all
     * earlier entries.
     */
    insertAll(blocks: readonly NumberedBlock[]): void {
      const bytes = blocks.reduce((sum, { block }) => sum + sizeOnDisk(block), 0)
      inTransaction(
        () => {
          for (const { first, block } of blocks) add(first, block)
        },
        { bytes },
      )
    },

    /**
     * Deletes the oldest blocks that fit into `size` bytes, and returns the number of freed bytes. Deletes single
     * entries of a block only when less than `least` bytes are free, because unpacking it takes milliseconds.
     */
    deleteOldest(size: number, least: number): number {
      let left = size
      return deleting(
        row => {
          if (row.size > left) return size - left >= least ? 'stop' : 'cut'
          left -= row.size
          return 'delete'
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
     * Deletes entries that started before `time`, stops at the first entry that started later, and returns the size of
     * the deleted entries. Ignores entries whose start is in the future, because the clock was ahead when they were
     * written.
     */
    deleteBefore(time: number, now: number): number {
      return deleting(
        ({ newest }) => (newest < time ? 'delete' : newest > now ? 'keep' : 'cut'),
        (_size, started) => started < time,
        time,
      )
    },

    /** Returns the first entries after an id, in the order of their ids. */
    following(after: number, limit: number): readonly InvocationLogEntry[] {
      const entries: InvocationLogEntry[] = []
      for (const { last, first } of following.iterate(after) as Iterable<{ last: number; first: number }>) {
        for (const { id, entry } of read(last) ?? []) {
          if (entries.length >= limit) return entries
          if (id >= first && id > after) entries.push({ id, ...entry })
        }
      }
      return entries
    },

    list,
    get,
    search: blockSearch(segments, { holding, before: earlier, read }),
    scan,
  }
  return wrapFunctions(table, work => reportDamage(database, work))

  function list({
    after = 0,
    functionName,
    last: most = 100,
  }: InvocationLogQuery): readonly InvocationLogEntry[] {
    const entries: InvocationLogEntry[] = []
    const blocks = later.iterate(after) as Iterable<{ last: number; first: number; functions: string }>
    for (const { last, first, functions } of blocks) {
      if (entries.length >= most) break
      if (functionName !== undefined && !(JSON.parse(functions) as string[]).includes(functionName)) continue
      for (const { id, entry } of read(last)?.reverse() ?? []) {
        if (id < first || id <= after || entries.length >= most) break
        if (functionName === undefined || entry.functionName === functionName) entries.push({ id, ...entry })
      }
    }
    return entries.reverse()
  }

  function scan({ from, to }: LogSpan, visit: VisitEntry): void {
    const { first: kept } = firstKept.get() as { readonly first: number | null }
    if (kept === null) return
    for (const segment of segments.before(Number.MAX_SAFE_INTEGER, [])) {
      if (!('first' in segment) || segment.newest < from || segment.oldest >= to) continue
      const { abouts, places, started, duration } = readSegment(segment)
      for (let entry = Math.max(0, kept - segment.first); entry < segment.count; entry++) {
        const start = started(entry)
        if (start >= from && start < to) visit(abouts[places[entry]!]!, start, duration(entry))
      }
    }
    for (const { last, first } of earlier(segments.firstIndexed()))
      for (const { id, entry } of read(last) ?? []) {
        if (id < first || entry.started < from || entry.started >= to) continue
        visit({ ...entry, severity: severityOf(entry) }, entry.started, entry.duration)
      }
  }

  function get(id: number): InvocationLogEntry | undefined {
    const block = holding(id)
    if (block === undefined) return undefined
    const kept = read(block.last)?.find(each => each.id === id)
    return kept && { id, ...kept.entry }
  }
}
