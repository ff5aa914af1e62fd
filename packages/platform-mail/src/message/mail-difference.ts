import { bodyWithoutEmptyLine, headerBlock, headers } from './header-lines.ts'

/** A header, whose bytes are in the characters of its texts (Latin-1). */
export interface Header {
  readonly name: string
  /** Everything behind the colon, with its folds and without its last line end. */
  readonly value: string
}

/** A header among all others of its mail. */
interface AddressedHeader extends Header {
  /** The position among all headers, from 0. */
  readonly position: number
  /** The position among those of the same name in any spelling, from 1. */
  readonly occurrence: number
}

/**
 * A change of one header. The positions are those that hold when the changes are made one after the other. Changes begin at the
 * bottom of the head, so that they are also those of the head as it was.
 */
export type HeaderChange =
  | ({ readonly kind: 'delete' } & AddressedHeader)
  /** Gives a header another value, which is not blank: protocols take a blank one for a deletion. */
  | ({ readonly kind: 'change' } & AddressedHeader)
  /** Puts a new header above the one with its position, or below all others. */
  | ({
      readonly kind: 'insert'
      /** The value of the last header above it with the same name. Undefined if there is none. */
      readonly above: string | undefined
      /** Whether no header with the same name is below it. */
      readonly isLast: boolean
    } & AddressedHeader)

/** What makes one mail of another. */
export interface MailDifference {
  readonly headers: readonly HeaderChange[]
  /** The new body. Undefined if it is the same. */
  readonly body: Buffer | undefined
}

/** A mail that is taken apart. */
interface Parts {
  readonly headers: readonly AddressedHeader[]
  readonly body: Buffer
}

/**
 * Returns the headers and the body of a mail. Returns undefined if its head has other lines than headers, is larger than one
 * megabyte, or has no end.
 */
export function mailParts(raw: Buffer): Parts | undefined {
  const block = headerBlock(raw)
  const end = raw.indexOf('\n', block.length)
  if (end < 0 || end > block.length + 1 || bodyWithoutEmptyLine(block) !== undefined) return undefined
  const counts = new Map<string, number>()
  const found: AddressedHeader[] = []
  for (const each of headers(block)) {
    const text = each.toString('latin1')
    const colon = text.indexOf(':')
    const name = text.slice(0, colon).trimEnd()
    const occurrence = (counts.get(keyOf(name)) ?? 0) + 1
    counts.set(keyOf(name), occurrence)
    const value = text.slice(colon + 1).replace(/\r?\n$/, '')
    found.push({ name, value, position: found.length, occurrence })
  }
  return { headers: found, body: raw.subarray(end + 1) }
}

/**
 * Returns the changes that make one mail of another, with few changes of headers. Returns undefined if one of them cannot be
 * taken apart.
 */
export function mailDifference(before: Buffer, after: Buffer): MailDifference | undefined {
  const [old, own] = [mailParts(before), mailParts(after)]
  if (old === undefined || own === undefined) return undefined
  return {
    headers: headerChanges(old.headers, own.headers),
    body: old.body.equals(own.body) ? undefined : own.body,
  }
}

/** The name of a header without its spelling. */
const keyOf = (name: string) => name.toLowerCase()

/** A header of the old head and the one of the new head that takes its place. One of them can be absent. */
type Row = readonly [AddressedHeader | undefined, AddressedHeader | undefined]

function headerChanges(
  old: readonly AddressedHeader[],
  own: readonly AddressedHeader[],
): readonly HeaderChange[] {
  const rows: Row[] = []
  let [oldFrom, ownFrom] = [0, 0]
  for (const [oldAt, ownAt] of [...sameHeaders(old, own), [old.length, own.length] as const]) {
    // One at a time, because a function takes fewer arguments than a head can have headers.
    for (const row of rowsOf(old.slice(oldFrom, oldAt), own.slice(ownFrom, ownAt))) rows.push(row)
    if (oldAt < old.length) rows.push([old[oldAt], own[ownAt]])
    oldFrom = oldAt + 1
    ownFrom = ownAt + 1
  }
  const lastOfName = new Map(own.map(each => [keyOf(each.name), each]))
  const above = new Map<string, AddressedHeader>()
  const changes: HeaderChange[] = []
  let position = 0
  for (const [was, is] of rows) {
    if (was !== undefined) {
      above.set(keyOf(was.name), was)
      position++
      if (is === undefined) changes.push({ kind: 'delete', ...was })
      else if (is.value !== was.value) changes.push({ kind: 'change', ...was, value: is.value })
    } else if (is !== undefined) {
      const { name, value } = is
      const before = above.get(keyOf(name))
      const place = { position, occurrence: (before?.occurrence ?? 0) + 1, above: before?.value }
      changes.push({ kind: 'insert', name, value, ...place, isLast: lastOfName.get(keyOf(name)) === is })
    }
  }
  return changes.reverse()
}

/**
 * Returns the positions of headers that stay, in both heads and in order. The first of several same headers stands for the
 * first one, and so on; then as many stay as can without a change of their order.
 */
function sameHeaders(
  old: readonly AddressedHeader[],
  own: readonly AddressedHeader[],
): readonly (readonly [number, number])[] {
  const places = new Map<string, number[]>()
  const textOf = ({ name, value }: Header) => `${name}:${value}`
  // From the bottom, so that the first place is the last of its list, and is taken without moving the others.
  for (const each of own.toReversed()) {
    const list = places.get(textOf(each))
    if (list === undefined) places.set(textOf(each), [each.position])
    else list.push(each.position)
  }
  const pairs = old.flatMap((each, at) => {
    const place = places.get(textOf(each))?.pop()
    return place === undefined ? [] : [[at, place] as const]
  })
  return longestRise(pairs)
}

/** Returns the most pairs whose second numbers rise. */
function longestRise(pairs: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  interface Chain {
    readonly pair: readonly [number, number]
    readonly before: Chain | undefined
  }
  /** The chain of each length that ends with the lowest number. */
  const ends: Chain[] = []
  for (const pair of pairs) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle]!.pair[1] < pair[1]) low = middle + 1
      else high = middle
    }
    ends[low] = { pair, before: ends[low - 1] }
  }
  const found: (readonly [number, number])[] = []
  for (let chain = ends.at(-1); chain !== undefined; chain = chain.before) found.push(chain.pair)
  return found.reverse()
}

/** Returns the rows of headers of which none stays. Those of the same name take each other's place, in order. */
function rowsOf(old: readonly AddressedHeader[], own: readonly AddressedHeader[]): readonly Row[] {
  const rows: Row[] = []
  const places = new Map<string, number[]>()
  // From the bottom, as above.
  for (let at = own.length - 1; at >= 0; at--) {
    const { name, value } = own[at]!
    if (value.trim() === '') continue
    const list = places.get(name)
    if (list === undefined) places.set(name, [at])
    else list.push(at)
  }
  let next = 0
  for (const was of old) {
    const list = places.get(was.name) ?? []
    while (list.length > 0 && list.at(-1)! < next) list.pop()
    const place = list.pop()
    if (place === undefined) rows.push([was, undefined])
    else {
      while (next < place) rows.push([undefined, own[next++]])
      rows.push([was, own[next++]])
    }
  }
  while (next < own.length) rows.push([undefined, own[next++]])
  return rows
}
