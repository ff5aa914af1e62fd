import type { Mixed } from 'io-ts'

type Codec = Mixed

/** The properties that combinators of io-ts set on their codecs. */
export interface Inside {
  readonly _tag?: string
  readonly type?: Codec
  readonly types?: readonly Codec[]
  readonly props?: Readonly<Record<string, Codec>>
  readonly keys?: object
  readonly value?: unknown
}

/** The maximum depth to which a codec is searched for a tag. */
const mostHops = 20

/** Returns the keys of a record as io-ts finds them, or undefined if its domain does not list them. */
export function keysOf(domain: Codec): readonly string[] | undefined {
  const { _tag, value, keys, types } = domain as unknown as Inside
  if (_tag === 'LiteralType') return typeof value === 'string' ? [value] : undefined
  if (_tag === 'KeyofType') return Object.keys(keys!)
  if (_tag !== 'UnionType') return undefined
  const all = types!.map(keysOf)
  if (!all.every(each => each !== undefined)) return undefined
  // The keys get the order that they have in an object, where numbers come first.
  return Object.keys(Object.fromEntries(all.flat().map(key => [key, null])))
}

/**
 * Returns the values of a tag in a branch of a union, or undefined where they are not obvious. io-ts finds tags in a
 * few more places. If a union has a tag in one of these places, it keeps its own guard.
 */
export function tagsOf(codec: Codec, tag: string, depth = 0): readonly unknown[] | undefined {
  const { _tag = '', type, types, props } = codec as unknown as Inside
  if (depth > mostHops) return undefined
  if (/^(?:Interface|Strict)Type$/.test(_tag)) {
    const field = props![tag] as unknown as Inside | undefined
    return field?._tag === 'LiteralType' ? [field.value] : undefined
  }
  if (/^(?:Exact|Refinement|Readonly|Recursive)Type$/.test(_tag)) return tagsOf(type!, tag, depth + 1)
  const found = (types ?? []).map(part => tagsOf(part, tag, depth + 1)).filter(each => each !== undefined)
  if (_tag === 'IntersectionType') return found.length === 1 ? found[0] : undefined
  return _tag === 'UnionType' && found.length === types!.length ? found.flat() : undefined
}
