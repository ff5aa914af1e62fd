import type { Codec } from '../io-ts/codec-of.ts'
import { combinatorKind, isOfTheLibrary } from './combinators.ts'
import { type Inside, keysOf, tagsOf } from './keys-and-tags.ts'
import { type Node, type Writer, whereNode, wordsOf } from './table.ts'
import { alternatives, valuesInWords } from './words.ts'

/** Properties that only some codecs have. */
interface Fields extends Inside {
  readonly tag?: string
  readonly domain?: Codec
  readonly codomain: Codec
  readonly predicate: (value: unknown) => unknown
}

/** Returns the node of a codec that an io-ts combinator made, or undefined for a custom codec. */
export function readIoTs(codec: Codec, writer: Writer): Node | number | undefined {
  const { nodes, add } = writer
  const fields = codec as unknown as Fields
  const { _tag = '', type, types, props = {}, tag, domain, codomain, predicate } = fields
  const tagName = _tag.slice(0, -'Type'.length)
  if (
    type &&
    codec.is === type.is &&
    // The codec is readonly, or it is exact and decodes every value with its own `validate`.
    (codec.validate === type.validate || tagName === 'Exact') &&
    isOfTheLibrary(codec, tagName)
  ) {
    const part = add(type)
    // A custom guard may read `this`.
    if (nodes[part]![0] === 'codec') return undefined
    return tagName === 'Exact' ? ['strips', part] : part
  }
  const domainKeys = domain && keysOf(domain)
  const kind = combinatorKind(codec, domainKeys ? 'Keys' : tag === undefined ? tagName : 'TaggedUnion')
  const words = (positions: readonly number[]) => [
    ...new Set(positions.map(each => wordsOf(nodes, nodes[each]!))),
  ]
  switch (kind) {
    case 'any':
      return ['any']
    case 'typeof':
      return tagName.toLowerCase()
    case 'oneOf': {
      const values = valuesOf(codec)!
      return ['one of', valuesInWords(values), ...values]
    }
    case 'object': {
      if (!domainKeys) {
        const mark = _tag === 'PartialType' ? '-' : '='
        return ['object', ...Object.keys(props).flatMap(name => [mark + name, add(props[name]!)])]
      }
      // A record of known keys is an object with these fields, except that io-ts loses the key `__proto__`.
      const names = domainKeys.filter(name => name !== '__proto__')
      const object: Node = ['object', ...names.flatMap(name => [`=${name}`, add(codomain)])]
      return ['strips', writer.put(object, codec)]
    }
    case 'record': {
      const names = add(domain!)
      const arrays = (codomain as unknown as Fields)._tag === 'AnyType'
      const isAny = nodes[names] === 'string'
      const record: Node = ['record', add(codomain), isAny ? undefined : names, arrays]
      return isAny ? record : ['strips', writer.put(record, codec)]
    }
    case 'array':
      return type ? ['array', add(type)] : ['array']
    case 'tuple':
      return ['tuple', `array of ${types!.length}`, ...types!.map(add)]
    case 'all': {
      const parts = types!.map(add)
      return ['all', words(parts).join(' and '), ...parts]
    }
    case 'some': {
      // A union whose alternatives are all values becomes one list of values.
      const values = valuesOf(codec)
      if (values) return ['one of', valuesInWords(values), ...values]
      const parts = types!.map(add)
      return ['some', alternatives(words(parts)), ...parts]
    }
    case 'tagged': {
      const values = types!.map(part => tagsOf(part, tag!))
      if (!values.every(each => each !== undefined)) return undefined
      const branches = types!.map((part, i) => [add(part), ...values[i]!] as const)
      return ['tagged', valuesInWords(values.flat()), tag!, ...branches]
    }
    case 'refinement':
      return whereNode(writer, codec, type!, predicate)
    case 'recursion': {
      const node: ['recursive', string, number] = ['recursive', codec.name, -1]
      // The codec may contain itself.
      const position = nodes.push(node) - 1
      writer.positions.set(codec, position)
      node[2] = add(fields.type!)
      return position
    }
    default:
      return undefined
  }
}

/** Returns the values of a literal, of `keyof`, of null, of undefined, or of a union of them. */
function valuesOf(codec: Codec): readonly unknown[] | undefined {
  const { _tag = '', types, keys, value } = codec as unknown as Fields
  const kind = combinatorKind(codec, _tag.slice(0, -'Type'.length))
  if (kind === 'oneOf') {
    if (keys) return Object.getOwnPropertyNames(keys)
    return [_tag === 'NullType' ? null : value]
  }
  const all = kind === 'some' ? types!.map(valuesOf) : []
  return all.length > 0 && all.every(each => each !== undefined) ? all.flat() : undefined
}
