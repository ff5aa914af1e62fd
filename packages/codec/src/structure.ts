import type * as t from 'io-ts'
import { isOfTheLibrary, kindOf } from './combinators.ts'
import { type Inside, keysOf, tagsOf } from './keys-and-tags.ts'

/** Any codec at all. */
export type Codec = t.Mixed

/**
 * What `codec.is` checks, taken apart. Whoever compiles or walks codecs reads this and never io-ts itself, so
 * everything that is peculiar to a combinator is settled here. `parts` are the codecs that decide further.
 */
export type Structure = {
  readonly parts: readonly Codec[]
} & (
  | { readonly kind: 'any' }
  /** Nothing is known but `is`: a custom codec, or one whose `is` somebody replaced. */
  | { readonly kind: 'custom' }
  | { readonly kind: 'typeof'; readonly type: string }
  /** Strictly equal to one of the values: null, undefined, literals, keys. */
  | { readonly kind: 'oneOf'; readonly values: readonly unknown[] }
  /** An object that is no array, whose field `names[i]` satisfies `parts[i]`, unless it may be missing. */
  | {
      readonly kind: 'object'
      readonly names: readonly string[]
      readonly presence: readonly Presence[]
      readonly strips: boolean
    }
  /** An object that is no array, whose own keys that satisfy `domain` have values that satisfy `parts[0]`. */
  | { readonly kind: 'record'; readonly domain: Codec; readonly arrays: boolean; readonly strips: boolean }
  /** An array, whose items satisfy `parts[0]` where there is one. */
  | { readonly kind: 'array' }
  | { readonly kind: 'tuple' }
  | { readonly kind: 'all' }
  | { readonly kind: 'some' }
  /** An object that satisfies the first part among whose `values` its field `tag` is. */
  | { readonly kind: 'tagged'; readonly tag: string; readonly values: readonly (readonly unknown[])[] }
  | { readonly kind: 'refinement'; readonly predicate: (value: unknown) => unknown }
  /** Accepts what its one part accepts; decodes what it reads from JSON text, if it does. */
  | { readonly kind: 'same'; readonly strips: boolean; readonly read?: Read }
  | { readonly kind: 'recursion' }
)

/** Reads a text, or says what it is instead. */
export type Read = (text: string) => { readonly value: unknown } | { readonly refused: string }

/**
 * Whether a field has to be there (in io-ts only `is` wants that: it decodes an absent field as undefined), may be absent,
 * or may be absent or null.
 */
export type Presence = 'required' | 'required-by-is' | 'optional' | 'nullable'

/** What some combinators leave on theirs besides. */
interface Fields extends Inside {
  readonly tag?: string
  readonly domain?: Codec
  readonly codomain: Codec
  readonly predicate: (value: unknown) => unknown
}

const custom: Structure = { kind: 'custom', parts: [] }
const known = new WeakMap<Codec, Structure>()
const declared = new WeakMap<Codec, { readonly is: unknown; readonly shape: Structure }>()

/** Says what a codec checks that no combinator of io-ts has made. It holds as long as the codec keeps its `is`. */
export function declare(codec: Codec, shape: Structure): void {
  declared.set(codec, { is: codec.is, shape })
}

/** Takes a codec apart. Codecs are taken as immutable: the answer is remembered. */
export function structure(codec: Codec): Structure {
  let answer = known.get(codec)
  if (!answer) {
    const own = declared.get(codec)
    try {
      answer = own?.is === codec.is ? own.shape : analyze(codec)
      // The guard of somebody's own may ask whose it is.
      if (answer.kind === 'same' && structure(answer.parts[0]!).kind === 'custom') answer = custom
      known.set(codec, answer)
    } catch {
      // A recursive definition that throws, perhaps only for now: `is` throws the same, when it comes to it.
      answer = custom
    }
  }
  return answer
}

function analyze(codec: Codec): Structure {
  const fields = codec as unknown as Fields
  const { _tag = '', type, types, props = {}, keys, tag, domain, codomain, predicate } = fields
  const tagName = _tag.slice(0, -'Type'.length)
  if (
    type &&
    codec.is === type.is &&
    /^(?:Exact|Readonly)$/.test(tagName) &&
    isOfTheLibrary(codec, tagName)
  ) {
    return { kind: 'same', parts: [type], strips: tagName === 'Exact' }
  }
  const domainKeys = domain && keysOf(domain)
  const name = domainKeys ? 'Keys' : tag === undefined ? tagName : 'TaggedUnion'
  const kind = kindOf(codec, name) as Structure['kind'] | undefined
  const parts = types ?? (type ? [type] : [])
  switch (kind) {
    case undefined:
      return custom
    case 'typeof':
      return { kind, parts, type: tagName.toLowerCase() }
    case 'oneOf':
      if (keys) return { kind, parts, values: Object.getOwnPropertyNames(keys) }
      return { kind, parts, values: [_tag === 'NullType' ? null : fields.value] }
    case 'object': {
      // A record of known keys is an object with these fields; io-ts loses a key `__proto__` on the way.
      const names = domainKeys?.filter(name => name !== '__proto__') ?? Object.keys(props)
      return {
        kind,
        parts: names.map(name => (domain ? codomain : props[name]!)),
        names,
        presence: names.map(() => (_tag === 'PartialType' ? 'optional' : 'required-by-is')),
        strips: !!domain,
      }
    }
    case 'record': {
      const arrays = (codomain as unknown as Fields)._tag === 'AnyType'
      const text = structure(domain!)
      const strips = text.kind !== 'typeof' || text.type !== 'string'
      return { kind, parts: [codomain], domain: domain!, arrays, strips }
    }
    case 'some': {
      const shapes = parts.map(structure)
      // A union of nothing but values is one list of them.
      return shapes.every(shape => shape.kind === 'oneOf')
        ? { kind: 'oneOf', parts: [], values: shapes.flatMap(shape => shape.values) }
        : { kind, parts }
    }
    case 'tagged': {
      const values = parts.map(part => tagsOf(part, tag!))
      return values.every(each => each !== undefined) ? { kind, parts, tag: tag!, values } : custom
    }
    case 'refinement':
      return { kind, parts, predicate }
    default:
      return { kind, parts } as Structure
  }
}
