import * as t from 'io-ts'

/** Any codec at all. */
export type Codec = t.Mixed

/**
 * What `codec.is` checks, taken apart. Whoever compiles or walks codecs reads this and never io-ts itself, so
 * everything that is peculiar to a combinator is settled here. `parts` are the codecs that decide further.
 */
export type Structure = { readonly parts: readonly Codec[] } & (
  | { readonly kind: 'any' }
  /** Nothing is known but `is`: a custom codec, or one whose `is` somebody replaced. */
  | { readonly kind: 'custom' }
  | { readonly kind: 'typeof'; readonly type: string }
  /** Strictly equal to one of the values: null, undefined, literals, keys. */
  | { readonly kind: 'oneOf'; readonly values: readonly unknown[] }
  /** An object that is no array, whose field `names[i]` satisfies `parts[i]`. */
  | {
      readonly kind: 'object'
      readonly names: readonly string[]
      readonly required: boolean
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
  /** Accepts what its one part accepts; `json` when it decodes text. */
  | { readonly kind: 'same'; readonly strips: boolean; readonly json: boolean }
  | { readonly kind: 'recursion' }
)

type Kind = Structure['kind']

/** What the combinators leave on their codecs. */
interface Fields {
  readonly _tag?: string
  readonly type?: Codec
  readonly types?: readonly Codec[]
  readonly props?: Readonly<Record<string, Codec>>
  readonly keys?: object
  readonly value?: unknown
  readonly tag: string
  readonly domain?: Codec
  readonly codomain: Codec
  readonly predicate: (value: unknown) => unknown
}

/** Exported by io-ts, though not declared: how `union` finds its tag and `record` its keys. */
interface Internals {
  getTags(codec: Codec): Readonly<Record<string, readonly unknown[]>>
  getDomainKeys(domain: Codec): object
}
const { getTags, getDomainKeys } = t as unknown as Internals

/** The `_tag` of codecs from JSON text. */
export const jsonTag = 'JsonType'

const custom: Structure = { kind: 'custom', parts: [] }
const known = new WeakMap<Codec, Structure>()

/** Takes a codec apart. Codecs are taken as immutable: the answer is remembered. */
export function structure(codec: Codec): Structure {
  let answer = known.get(codec)
  if (!answer) {
    try {
      answer = analyze(codec)
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
  const { _tag, type, types, props = {}, keys, tag, domain, codomain, predicate } = fields
  if (type && codec.is === type.is) {
    const json = _tag === jsonTag
    const strips = json || _tag === 'ExactType'
    return structure(type).kind === 'custom' ? custom : { kind: 'same', parts: [type], strips, json }
  }
  const kind = kindOf(codec)
  const parts = types ?? (type ? [type] : [])
  switch (kind) {
    case 'typeof':
      return { kind, parts, type: _tag!.slice(0, -'Type'.length).toLowerCase() }
    case 'oneOf':
      if (keys) return { kind, parts, values: Object.getOwnPropertyNames(keys) }
      return { kind, parts, values: [_tag === 'NullType' ? null : fields.value] }
    case 'object': {
      // A record of known keys is an object with these fields; io-ts loses a key `__proto__` on the way.
      const names = domain
        ? Object.keys(getDomainKeys(domain)).filter(name => name !== '__proto__')
        : Object.keys(props)
      const required = _tag !== 'PartialType'
      return {
        kind,
        parts: names.map(name => (domain ? codomain : props[name]!)),
        names,
        required,
        strips: !!domain,
      }
    }
    case 'record': {
      const arrays = (codomain as unknown as Fields)._tag === 'AnyType'
      return {
        kind,
        parts: [codomain],
        domain: domain!,
        arrays,
        strips: structure(domain!) !== structure(t.string),
      }
    }
    case 'some': {
      const shapes = parts.map(structure)
      // A union of nothing but values is one list of them.
      return shapes.every(shape => shape.kind === 'oneOf')
        ? { kind: 'oneOf', parts: [], values: shapes.flatMap(shape => shape.values) }
        : { kind, parts }
    }
    case 'tagged':
      return { kind, parts, tag, values: parts.map(part => getTags(part)[tag]!) }
    case 'refinement':
      return { kind, parts, predicate }
    default:
      return { kind, parts } as Structure
  }
}

let references: readonly (readonly [Kind, ...Codec[]])[] | undefined

/**
 * A codec is of a combinator's kind only when it has the same constructor as the combinator's codecs and an `is`
 * of the same text. Subclasses and codecs with another guard do not, and keep their own `is`.
 */
function kindOf(codec: Codec): Kind {
  const any = t.unknown as unknown as t.StringC
  references ??= [
    ['any', any, t.any],
    ['typeof', t.string, t.number, t.boolean, t.bigint, t.Function],
    ['oneOf', t.null, t.undefined, t.void, t.literal(''), t.keyof({ a: 0 })],
    ['object', t.UnknownRecord, t.type({}), t.partial({}), t.record(t.literal(''), any)],
    ['record', t.record(any, any)],
    ['array', t.UnknownArray, t.array(any), t.readonlyArray(any)],
    ['tuple', t.tuple([any])],
    ['all', t.intersection([any, any])],
    ['some', t.union([any, any])],
    ['tagged', t.union([t.type({ a: t.literal(1) }), t.type({ a: t.literal(2) })])],
    ['refinement', t.refinement(any, Boolean)],
    ['recursion', t.recursion('', t.identity<t.Mixed>)],
  ]
  const alike = (of: Codec) => of.constructor === codec.constructor && String(of.is) === String(codec.is)
  return references.find(([, ...codecs]) => codecs.some(alike))?.[0] ?? 'custom'
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
