import { type Codec, isCodec } from './evaluate.ts'

/** The properties by which io-ts combinators expose their structure. */
interface Structure {
  readonly _tag?: string
  readonly props?: { readonly [name: string]: Codec }
  readonly types?: readonly Codec[]
  readonly type?: Codec
}

type Fields = readonly (readonly [name: string, codec: Codec])[]

/**
 * Returns the code of the property `props` that `@signalbox/load-balancer` reads from the codec of a query, of headers,
 * of cookies, of path parameters or of a form: which fields there are, which of them are lists, and which refuse every
 * text. A compiled codec has no such property. Returns undefined for a codec without fields.
 */
export function fieldProperties(codec: Codec): string | undefined {
  const all = fieldsOf(codec, true)
  if (all.length === 0) return undefined
  const always = new Map(fieldsOf(codec, false))
  const properties = new Map<string, object>()
  for (const [name, field] of all) {
    const withoutText = always.get(name) === field ? withoutTextOf(field) : undefined
    const property = isList(field) ? { _tag: 'ArrayType' } : (withoutText ?? properties.get(name) ?? {})
    properties.set(name, property)
  }
  // A key named __proto__ in a literal would set the prototype.
  const entries = [...properties].map(
    ([name, value]) => `[${JSON.stringify(name)}]: ${JSON.stringify(value)}`,
  )
  return `{ ${entries.join(', ')} }`
}

/** Returns the fields of an object codec. With `unions`, it includes the fields of union members. */
function fieldsOf(codec: Codec, unions: boolean): Fields {
  const { props, types, type, _tag } = codec as unknown as Structure
  if (props) return Object.entries(props)
  if (types && (unions ? _tag !== 'TupleType' : _tag === 'IntersectionType'))
    return types.flatMap(each => fieldsOf(each, unions))
  return isCodec(type) && _tag !== 'ArrayType' ? fieldsOf(type, unions) : []
}

function withoutTextOf(codec: Codec): object | undefined {
  const { _tag } = codec as unknown as Structure
  return /^(?:Number|Boolean|BigInt)Type$/.test(_tag ?? '') ? { _tag, name: codec.name } : undefined
}

function isList(codec: Codec): boolean {
  const { types, type, _tag } = codec as unknown as Structure
  if (/^(?:Readonly|Any)?ArrayType$/.test(_tag ?? '')) return true
  if (_tag === 'UnionType' || _tag === 'IntersectionType') return types!.some(isList)
  return isCodec(type) && isList(type)
}
