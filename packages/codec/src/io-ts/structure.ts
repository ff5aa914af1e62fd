import { readyOf } from '../ready/ready-codec.ts'
import { structureOfReady } from '../ready/structure-of-ready.ts'
import type { Codec, Structure } from './codec-structure.ts'
import { combinatorKind, isOfTheLibrary } from './combinators.ts'
import { declaredStructure } from './declared.ts'
import { type Inside, keysOf, tagsOf } from './keys-and-tags.ts'

/** Properties that only some codecs have. */
interface Fields extends Inside {
  readonly tag?: string
  readonly domain?: Codec
  readonly codomain: Codec
  readonly predicate: (value: unknown) => unknown
}

const custom: Structure = { kind: 'custom', parts: [] }
const known = new WeakMap<Codec, Structure>()
/** Returns the structure of a codec. It is cached, so codecs must not change. */
export function structure(codec: Codec): Structure {
  let answer = known.get(codec)
  if (!answer) {
    try {
      const ready = readyOf(codec)
      answer = ready ? structureOfReady(ready) : (declaredStructure(codec) ?? analyze(codec))
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
    // The codec is readonly, or it is exact and decodes every value with its own `validate`.
    (codec.validate === type.validate || tagName === 'Exact') &&
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
      // A record of known keys is an object with these fields, except that io-ts loses the key `__proto__`.
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
      // A union whose alternatives are all values becomes one list of values.
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
