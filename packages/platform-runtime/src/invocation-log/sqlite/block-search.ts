import type { InvocationLogEntry } from '../entry.ts'
import { type InvocationFilters, type InvocationPage, type InvocationSearch, passes } from '../search.ts'
import type { UnnumberedEntry } from './block.ts'
import { hashesOf } from './grams.ts'
import { readSegment } from './segment.ts'
import type { SegmentRow, segmentTable } from './segment-table.ts'

/** The ids of a block's first and last entry. */
export interface BlockSpan {
  readonly first: number
  readonly last: number
}

/** The blocks that a search reads. */
interface Blocks {
  /** Returns the block that holds an id. */
  readonly holding: (id: number) => BlockSpan | undefined
  /** Returns the blocks that begin before an id, the last one first. */
  readonly before: (id: number) => Iterable<BlockSpan>
  /**
   * Returns the entries of a block with their ids, including deleted entries. Returns undefined for a damaged block.
   * @param wanted decides from the text of a block whether the block may contain wanted entries
   */
  readonly read: (
    last: number,
    wanted: (text: string) => boolean,
  ) => readonly { readonly id: number; readonly entry: UnnumberedEntry }[] | undefined
}

/** Milliseconds after which a search ends early. */
const searchTime = 150

/** Returns a function that searches blocks, the newest first. It reads only blocks whose segments may match. */
export function blockSearch(
  segments: ReturnType<typeof segmentTable>,
  blocks: Blocks,
): (search: InvocationSearch) => InvocationPage {
  return ({ before = Number.MAX_SAFE_INTEGER, last: most, ...filters }) => {
    const end = performance.now() + searchTime
    const entries: InvocationLogEntry[] = []
    let open: OpenBlock | undefined
    const { text, requestId } = filters
    const hashes = [text, requestId].flatMap(part => (part === undefined ? [] : hashesOf(part)))
    const isSimple = hashes.length > 0
    const holds = (block: string) =>
      !isSimple ||
      [text, requestId].every(part => part === undefined || !isPlain(part) || block.includes(part))
    const firstIndexed = segments.firstIndexed()
    for (const segment of segments.before(before, hashes)) {
      if (performance.now() > end) return { entries, before: Math.min(segment.last + 1, before) }
      if (!('first' in segment)) continue
      const mayPass = segmentFilter(segment, filters)
      if (mayPass === undefined) continue
      for (let id = Math.min(segment.last, before - 1); id >= segment.first; id--) {
        if (!mayPass(id - segment.first)) continue
        if (open === undefined || id < open.from) {
          if (performance.now() > end) return { entries, before: id + 1 }
          open = openBlock(id, holds)
        }
        const entry = open.entries.get(id)
        if (entry === undefined || !passes(entry, filters)) continue
        if (entries.length === most) return { entries, before: entries.at(-1)!.id }
        entries.push({ id, ...entry })
      }
    }
    // These blocks were written in the first layout, which had no segments.
    for (const block of blocks.before(Math.min(before, firstIndexed))) {
      if (performance.now() > end) return { entries, before: block.last + 1 }
      const { entries: found } = openBlock(block.last, holds)
      for (const [id, entry] of [...found].reverse()) {
        if (id >= before || !passes(entry, filters)) continue
        if (entries.length === most) return { entries, before: entries.at(-1)!.id }
        entries.push({ id, ...entry })
      }
    }
    return { entries, before: undefined }
  }

  /** Returns the entries of the block with an id, unless the text of the block shows that none of them are wanted. */
  function openBlock(id: number, wanted: (text: string) => boolean): OpenBlock {
    const block = blocks.holding(id)
    if (block === undefined) return { from: id, entries: new Map() }
    const kept = blocks.read(block.last, wanted) ?? []
    return {
      from: block.first,
      entries: new Map(kept.filter(each => each.id >= block.first).map(each => [each.id, each.entry])),
    }
  }
}

interface OpenBlock {
  /** The id of the block's first entry. */
  readonly from: number
  readonly entries: ReadonlyMap<number, UnnumberedEntry>
}

/** Returns whether a string needs no escapes in JSON. */
function isPlain(text: string): boolean {
  return JSON.stringify(text) === `"${text}"`
}

/**
 * Returns a function that tells whether the entry at a position of a segment may pass the filters. Returns undefined
 * when no entry can pass.
 */
function segmentFilter(
  segment: SegmentRow,
  {
    functions,
    sources,
    families,
    verdicts,
    severities,
    from = 0,
    to = Number.MAX_SAFE_INTEGER,
  }: InvocationFilters,
): ((entry: number) => boolean) | undefined {
  if (segment.newest < from || segment.oldest >= to) return undefined
  const { abouts, places, started } = readSegment(segment)
  const may = abouts.map(
    about =>
      (functions === undefined || functions.includes(about.functionName)) &&
      (sources === undefined || sources.includes(about.source)) &&
      (families === undefined || families.includes(about.family ?? '')) &&
      (verdicts === undefined || verdicts.includes(about.verdict?.kind ?? 'none')) &&
      (severities === undefined || severities.includes(about.severity)),
  )
  if (!may.includes(true)) return undefined
  // The starts of entries are rounded down, so the real start may be up to one millisecond later.
  return entry => may[places[entry]!]! && started(entry) + 1 > from && started(entry) < to
}
