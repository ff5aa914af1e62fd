import type { StandardSchema } from '@signalbox/codec'
import { isSchema } from '@signalbox/codec/ready'
import type * as t from 'io-ts'
import type { Values } from '../request/values.ts'

/** The properties by which io-ts combinators expose their structure. */
interface Structure {
  readonly _tag?: string
  readonly props?: { readonly [name: string]: t.Mixed }
  readonly types?: readonly t.Mixed[]
  readonly type?: t.Mixed
}

/**
 * Returns the fields of an object codec that are arrays. In a query, a header or a form, an array field gets every
 * value. Returns undefined for a schema of another library that has no JSON Schema.
 */
export function listFields(schema: t.Mixed | StandardSchema): ReadonlySet<string> | undefined {
  if (isSchema(schema)) return listsOf(schema)
  return new Set(fieldsOf(schema, true).flatMap(([name, field]) => (isList(field) ? [name] : [])))
}

/** A schema that exposes its JSON Schema as https://standardschema.dev/json-schema describes. */
interface WithJsonSchema {
  readonly jsonSchema?: {
    readonly input: (options: { readonly target: string }) => {
      readonly properties?: { readonly [name: string]: { readonly type?: unknown } }
    }
  }
}

function listsOf({ '~standard': schema }: StandardSchema): ReadonlySet<string> | undefined {
  try {
    const { properties = {} } = (schema as WithJsonSchema).jsonSchema!.input({ target: 'draft-2020-12' })
    return new Set(Object.keys(properties).filter(name => properties[name]!.type === 'array'))
  } catch {
    // The schema has no JSON Schema, or JSON Schema cannot describe its type.
    return undefined
  }
}

/**
 * Returns the fields of an object codec that refuse every string. A query, a header or a form can never satisfy them.
 */
export function fieldsWithoutText(
  codec: t.Mixed | StandardSchema,
): readonly { readonly name: string; readonly codec: string }[] {
  return fieldsOf(codec as t.Mixed, false).flatMap(([name, field]) =>
    acceptsNoText(field) ? [{ name, codec: field.name }] : [],
  )
}

/** Returns the names of the fields that every value of an object codec can have. */
export function fieldNames(codec: t.Mixed | StandardSchema): readonly string[] {
  return fieldsOf(codec as t.Mixed, false).map(([name]) => name)
}

/**
 * Returns the fields of an object codec, including the fields of the codecs that it combines. With `unions`, fields of
 * union members are included, although not every value has them.
 */
function fieldsOf(codec: t.Mixed, unions: boolean): readonly (readonly [string, t.Mixed])[] {
  const { props, types, type, _tag } = codec as unknown as Structure
  if (props) return Object.entries(props)
  if (types && (unions ? _tag !== 'TupleType' : _tag === 'IntersectionType'))
    return types.flatMap(each => fieldsOf(each, unions))
  return type && _tag !== 'ArrayType' ? fieldsOf(type, unions) : []
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

/**
 * Returns an object of strings for a codec to decode: all values for an array field, and the last value for
 * any other field.
 */
export function objectOf(
  codec: t.Mixed | StandardSchema,
): (values: Pick<Values, 'all' | 'names'>) => unknown {
  const lists = listFields(codec)
  return values => {
    const fields = new Map<string, string | readonly string[]>()
    for (const name of lists ?? []) fields.set(name, values.all(name))
    for (const name of values.names()) {
      const all = values.all(name)
      const isList = lists ? lists.has(name) : all.length > 1
      fields.set(name, isList ? all : all.at(-1)!)
    }
    // fromEntries makes a parameter named __proto__ an ordinary key.
    return Object.fromEntries(fields)
  }
}
