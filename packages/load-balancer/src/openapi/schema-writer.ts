import type { StandardSchema } from '@signalbox/codec'
import { type JsonSchema, jsonSchema } from '@signalbox/codec/json-schema'
import { InvalidOptionError } from '@signalbox/core'
import type * as t from 'io-ts'

export type { JsonSchema }

type AnySchema = t.Mixed | StandardSchema

export type SchemaOption = (schema: StandardSchema) => JsonSchema | undefined

/** A field of the query, the headers, the cookies or the path. */
interface Field {
  readonly name: string
  readonly required: boolean
  readonly schema: JsonSchema
}

/** Writes the schemas of one document. */
export interface SchemaWriter {
  /** The `components.schemas` of the document. */
  readonly schemas: { readonly [name: string]: JsonSchema }
  /** Returns a schema, or a reference to it if it has a name or is recursive. */
  schema(where: string, schema: AnySchema): JsonSchema
  fields(where: string, schema: AnySchema): readonly Field[]
  /** Adds a schema to `schemas` under this name, unless it is there already. Returns a reference to the schema. */
  named(name: string, schema: JsonSchema): JsonSchema
}

const prefix = '#/components/schemas/'

export function schemaWriter(option: SchemaOption = () => undefined): SchemaWriter {
  const schemas: Record<string, JsonSchema> = {}
  const references = new Map<object, string>()

  function written(where: string, schema: AnySchema): JsonSchema {
    if (!('~standard' in schema)) return jsonSchema(schema)
    const own = option(schema)
    if (own !== undefined) return own
    try {
      const { $schema: _, ...rest } = (schema['~standard'] as JsonSchemaOf).jsonSchema!.input({
        target: 'draft-2020-12',
      })
      return rest
    } catch (cause) {
      throw new InvalidOptionError(
        `${where} is a schema of ${schema['~standard'].vendor} without a JSON Schema. Write one in the option schema of openapi().`,
        { cause },
      )
    }
  }

  function hoist(plain: string, key: object, { $defs, ...schema }: JsonSchema): JsonSchema {
    const definitions = Object.entries(($defs ?? {}) as { readonly [name: string]: JsonSchema })
    const places = new Map(definitions.map(([name]) => [`#/$defs/${name}`, reserve(name)]))
    // The schema of a recursive codec is only a reference to its definition.
    const only = Object.keys(schema).join() === '$ref' ? places.get(schema.$ref as string) : undefined
    const place = only ?? reserve(plain)
    references.set(key, place)
    places.set('#', place)
    for (const [name, definition] of definitions) fill(places.get(`#/$defs/${name}`)!, definition)
    if (only === undefined) fill(place, schema)
    return { $ref: place }

    function fill(at: string, written: JsonSchema): void {
      schemas[at.slice(prefix.length)] = withReferences(written, places)
    }
  }

  /**
   * Reserves a component name, and returns the reference to it. Appends a number if the name is already taken.
   */
  function reserve(plain: string): string {
    let name = plain
    for (let i = 2; name in schemas; i++) name = `${plain}${i}`
    schemas[name] = {}
    return prefix + name
  }

  return {
    schemas,
    schema(where, schema) {
      const known = references.get(schema)
      if (known !== undefined) return { $ref: known }
      const found = written(where, schema)
      const name = nameOf(schema, found)
      // A bundle can have the same codec twice: as its author wrote it, and compiled.
      if (name !== undefined && JSON.stringify(schemas[name]) === JSON.stringify(found))
        return { $ref: prefix + name }
      const refers = JSON.stringify(found).includes('"$ref"')
      return name !== undefined || refers ? hoist(name ?? 'Schema', schema, found) : found
    },
    fields(where, schema) {
      return fieldsIn(written(where, schema))
    },
    named(name, schema) {
      const known = references.get(schema)
      return known === undefined ? hoist(name, schema, schema) : { $ref: known }
    },
  }
}

interface JsonSchemaOf {
  readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => JsonSchema }
}

/**
 * Returns the name that the author gave to a codec. A name with brackets does not count, because io-ts generates such
 * names. A codec that the bundler plugin compiled has no tag, so its schema says whether it is an object.
 */
function nameOf(schema: AnySchema, written: JsonSchema): string | undefined {
  if ('~standard' in schema) return undefined
  const { name, _tag } = schema as t.Mixed & { readonly _tag?: string }
  const isObject =
    _tag === undefined
      ? ['properties', 'allOf', 'anyOf'].some(keyword => keyword in written)
      : /^(?:Interface|Partial|Exact|Intersection|Union|TaggedUnion|Recursive)Type$/.test(_tag)
  return isObject && /^[A-Za-z][\w.-]*$/.test(name) ? name : undefined
}

/** Returns a copy of a schema with changed references. */
function withReferences(schema: JsonSchema, places: ReadonlyMap<string, string>): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (key === '$ref' ? (places.get(value) ?? value) : value)),
  )
}

/** Returns the fields of an object, including the fields in the parts of an intersection. */
function fieldsIn(schema: JsonSchema): readonly Field[] {
  const {
    properties = {},
    required = [],
    allOf = [],
  } = schema as {
    readonly properties?: { readonly [name: string]: JsonSchema }
    readonly required?: readonly string[]
    readonly allOf?: readonly JsonSchema[]
  }
  const own = Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    schema,
  }))
  return [...own, ...allOf.flatMap(fieldsIn)]
}
