import type { Mixed } from 'io-ts'

type Codec = Mixed

/** What the combinators of io-ts leave on their codecs. */
export interface Inside {
  readonly _tag?: string
  readonly type?: Codec
  readonly types?: readonly Codec[]
  readonly props?: Readonly<Record<string, Codec>>
  readonly keys?: object
  readonly value?: unknown
}

/** Steps into a codec, after which a tag is looked for no further. */
const mostHops = 20

/** The keys of a record, where its domain names them: the way io-ts finds them. */
export function keysOf(domain: Codec): readonly string[] | undefined {
  const { _tag, value, keys, types } = domain as unknown as Inside
  if (_tag === 'LiteralType') return typeof value === 'string' ? [value] : undefined
  if (_tag === 'KeyofType') return Object.keys(keys!)
  if (_tag !== 'UnionType') return undefined
  const all = types!.map(keysOf)
  if (!all.every(each => each !== undefined)) return undefined
  // In the order of an object's keys, which is not always that in which they came.
  return Object.keys(Object.fromEntries(all.flat().map(key => [key, null])))
}

/**
 * The values that a tag may have in a branch of a union, where that is plain to see. io-ts finds them the same way,
 * and in some more places, where such a union is left to its own guard.
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
