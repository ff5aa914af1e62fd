import type { EntryAbout } from '../scan.ts'
import type { Severity } from '../severity.ts'

/** The starts, durations and shared facts of successive entries, in columns. */
export interface Segment {
  /** The number of entries. */
  readonly count: number
  /** The earliest start in whole milliseconds, rounded down. */
  readonly oldest: number
  /** The shared facts of the entries, as JSON: a list of `About`. */
  readonly abouts: string
  /** The columns, one after the other: start, duration, and the position in `abouts`. */
  readonly columns: Uint8Array
}

/** The facts that an entry shares with others. */
export type About = readonly [
  functionName: string,
  source: string,
  family: string | null,
  generation: number,
  verdict: string | null,
  ok: 0 | 1,
  /** Earlier versions wrote only whether the function failed. */
  severity: Severity | 0 | 1,
]

/**
 * The number of bytes of an entry in all columns: milliseconds since the oldest start, duration, and position in
 * `abouts`.
 */
const entrySize = 4 + 4 + 2

/** Collects the starts, durations and shared facts of entries. */
export interface SegmentWriter {
  /**
   * Adds the start, the duration and the facts of an entry.
   * @param about the facts that the entry shares with others, as JSON. Equal facts have equal JSON.
   */
  readonly add: (started: number, duration: number, about: string) => void
  /** Returns a segment with the entries that were added since the last call. */
  readonly take: () => Segment
}

/** Returns an empty writer. */
export function segmentWriter(): SegmentWriter {
  let starts: number[] = []
  let durations: number[] = []
  let positions: number[] = []
  let abouts = new Map<string, number>()
  let latest: string | undefined
  let position = 0
  return {
    add(started, duration, about) {
      if (about !== latest) {
        position = abouts.get(about) ?? abouts.size
        abouts.set(about, position)
        latest = about
      }
      starts.push(started)
      durations.push(duration)
      positions.push(position)
    },
    take() {
      const segment = segmentOf(starts, durations, positions, `[${[...abouts.keys()].join(',')}]`)
      starts = []
      durations = []
      positions = []
      abouts = new Map()
      latest = undefined
      return segment
    },
  }
}

function segmentOf(
  starts: readonly number[],
  durations: readonly number[],
  positions: readonly number[],
  abouts: string,
): Segment {
  const count = starts.length
  let oldest = Number.POSITIVE_INFINITY
  for (const start of starts) oldest = Math.min(oldest, start)
  oldest = Math.floor(oldest)
  const columns = new Uint8Array(count * entrySize)
  const { offsets, lengths, places } = viewsOf(columns, count)
  for (let i = 0; i < count; i++) {
    // All starts more than 49 days after the oldest become the same number.
    offsets[i] = Math.min(starts[i]! - oldest, 0xffffffff)
    lengths[i] = durations[i]!
    places[i] = positions[i]!
  }
  return { count, oldest, abouts, columns }
}

function viewsOf(columns: Uint8Array, count: number) {
  const { buffer, byteOffset } = byteOffsetFits(columns) ? columns : new Uint8Array(columns)
  return {
    offsets: new Uint32Array(buffer, byteOffset, count),
    lengths: new Float32Array(buffer, byteOffset + 4 * count, count),
    places: new Uint16Array(buffer, byteOffset + 8 * count, count),
  }
}

function byteOffsetFits({ byteOffset }: Uint8Array): boolean {
  return byteOffset % 4 === 0
}

/** A decoded segment. */
export interface ReadSegment {
  readonly abouts: readonly EntryAbout[]
  /** The position of each entry's facts in `abouts`. */
  readonly places: Uint16Array
  /** Returns the start of an entry in whole milliseconds, rounded down. */
  readonly started: (entry: number) => number
  readonly duration: (entry: number) => number
}

export function readSegment({ count, oldest, abouts, columns }: Segment): ReadSegment {
  const { offsets, lengths, places } = viewsOf(columns, count)
  return {
    abouts: (JSON.parse(abouts) as readonly About[]).map(entryAbout),
    places,
    started: entry => oldest + offsets[entry]!,
    // Rounded, because a column of 32 bits stores 0.1 as 0.10000000149.
    duration: entry => Math.round(lengths[entry]! * 1000) / 1000,
  }
}

function entryAbout([functionName, source, family, generation, verdict, ok, severity]: About): EntryAbout {
  const ofVerdict = verdict === null ? (severity === 1 ? 'error' : 'neutral') : ok === 1 ? 'ok' : 'error'
  return {
    ...{ functionName, source, generation },
    family: family ?? undefined,
    verdict: verdict === null ? undefined : { kind: verdict, ok: ok === 1 },
    severity: typeof severity === 'string' ? severity : ofVerdict,
  }
}

/** Joins several segments into one, in their order. */
export function joinedSegment(all: readonly Segment[]): Segment {
  const writer = segmentWriter()
  for (const segment of all) {
    const { places, started, duration } = readSegment(segment)
    const texts = (JSON.parse(segment.abouts) as readonly About[]).map(each => JSON.stringify(each))
    for (let i = 0; i < segment.count; i++) writer.add(started(i), duration(i), texts[places[i]!]!)
  }
  return writer.take()
}
