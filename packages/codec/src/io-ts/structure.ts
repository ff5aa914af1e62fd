import type * as t from 'io-ts'
import { combinatorKind, isOfTheLibrary } from './combinators.ts'
import { type Inside, keysOf, tagsOf } from './keys-and-tags.ts'

/** Any codec. */
export type Codec = t.Mixed

/**
 * What `codec.is` checks, as data. Compiler and checker read this instead of io-ts, so that only this file knows how each
 * combinator works. `parts` are the codecs inside.
 */
export type Structure = {
  readonly parts: readonly Codec[]
} & (
  | { readonly kind: 'any' }
  /** A custom codec, or a codec whose `is` was replaced. */
  | { readonly kind: 'custom' }
  | { readonly kind: 'typeof'; readonly type: string }
  /** Equal (===) to one of the values: null, undefined, literals, keys. */
  | { readonly kind: 'oneOf'; readonly values: readonly unknown[] }
  /** An object, not an array, whose field `names[i]` satisfies `parts[i]` or may be missing. */
  | {
      readonly kind: 'object'
      readonly names: readonly string[]
      readonly presence: readonly Presence[]
      readonly strips: boolean
    }
  /** An object, not an array: the values of own keys that satisfy `domain` satisfy `parts[0]`. */
  | { readonly kind: 'record'; readonly domain: Codec; readonly arrays: boolean; readonly strips: boolean }
  /** An array whose items satisfy `parts[0]`, if there is one. */
  | { readonly kind: 'array' }
  | { readonly kind: 'tuple' }
  | { readonly kind: 'all' }
  | { readonly kind: 'some' }
  /** An object that satisfies the part whose `values` contain the value of its field `tag`. */
  | { readonly kind: 'tagged'; readonly tag: string; readonly values: readonly (readonly unknown[])[] }
  | { readonly kind: 'refinement'; readonly predicate: (value: unknown) => unknown }
  /** Accepts what its part accepts. With `read`, it decodes what it reads from JSON text. */
  | { readonly kind: 'same'; readonly strips: boolean; readonly read?: Read }
  | { readonly kind: 'recursion' }
)

/** Reads a text, or says why it cannot be read. */
export type Read = (text: string) => { readonly value: unknown } | { readonly refused: string }

/**
 * Whether a field is required, may be absent, or may be absent or null. For a required field of io-ts, only `is`
 * refuses an absent value: decoding takes it for undefined.
 */
export type Presence = 'required' | 'required-by-is' | 'optional' | 'nullable'

/** Further properties of some codecs. */
interface Fields extends Inside {
  readonly tag?: string
  readonly domain?: Codec
  readonly codomain: Codec
  readonly predicate: (value: unknown) => unknown
}

const custom: Structure = { kind: 'custom', parts: [] }
const known = new WeakMap<Codec, Structure>()
const declared = new WeakMap<Codec, { readonly is: unknown; readonly shape: Structure }>()

/** Sets the structure of a codec that io-ts did not make. It applies as long as the codec keeps its `is`. */
export function declare(codec: Codec, shape: Structure): void {
  declared.set(codec, { is: codec.is, shape })
}

/** The structure of a codec. It is cached, so codecs must not change. */
export function structure(codec: Codec): Structure {
  let answer = known.get(codec)
  if (!answer) {
    const own = declared.get(codec)
    try {
      answer = own?.is === codec.is ? own.shape : analyze(codec)
      // A custom guard may read `this`.
      if (answer.kind === 'same' && !answer.read && structure(answer.parts[0]!).kind === 'custom')
        answer = custom
      known.set(codec, answer)
    } catch {
      // A recursive definition threw, perhaps because it is not complete yet. `is` throws the same error.
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
  const kind = combinatorKind(codec, name) as Structure['kind'] | undefined
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
      // A union of values only is one list of values.
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
