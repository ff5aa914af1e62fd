import type * as t from 'io-ts'

/** What io-ts combinators show of their structure. */
interface Structure {
  readonly _tag?: string
  readonly props?: { readonly [name: string]: t.Mixed }
  readonly types?: readonly t.Mixed[]
  readonly type?: t.Mixed
}

/** The fields of an object codec that are arrays. In a query, a header or a form, such a field gets every value. */
export function listFields(codec: t.Mixed): ReadonlySet<string> {
  const { props, types, type, _tag } = codec as unknown as Structure
  if (props) return new Set(Object.keys(props).filter(name => isList(props[name]!)))
  if (types && _tag !== 'TupleType') return new Set(types.flatMap(each => [...listFields(each)]))
  return type && _tag !== 'ArrayType' ? listFields(type) : new Set()
}

/** Fields of an object codec that accept no text: a query, a header or a form never satisfies them. */
export function fieldsWithoutText(
  codec: t.Mixed,
): readonly { readonly name: string; readonly codec: string }[] {
  const { props, types, type, _tag } = codec as unknown as Structure
  if (props) {
    return Object.entries(props).flatMap(([name, field]) =>
      acceptsNoText(field) ? [{ name, codec: field.name }] : [],
    )
  }
  if (types && _tag === 'IntersectionType') return types.flatMap(fieldsWithoutText)
  return type && _tag !== 'ArrayType' ? fieldsWithoutText(type) : []
}

function acceptsNoText(codec: t.Mixed): boolean {
  const { type, _tag } = codec as unknown as Structure
  if (_tag === 'NumberType' || _tag === 'BooleanType' || _tag === 'BigIntType') return true
  return type !== undefined && _tag === 'RefinementType' ? acceptsNoText(type) : false
}

function isList(codec: t.Mixed): boolean {
  const { types, type, _tag } = codec as unknown as Structure
  if (_tag === 'ArrayType' || _tag === 'ReadonlyArrayType' || _tag === 'AnyArrayType') return true
  if (_tag === 'UnionType' || _tag === 'IntersectionType') return types!.some(isList)
  return type ? isList(type) : false
}
