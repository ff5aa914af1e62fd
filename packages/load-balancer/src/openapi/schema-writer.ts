import { isObject, type StandardSchema } from '@signalbox/codec'
import { type JsonSchema, jsonSchema } from '@signalbox/codec/json-schema'
import { InvalidOptionError } from '@signalbox/core'
import type * as t from 'io-ts'
import { schemaFields } from '../routing/schema-fields.ts'
import { libraryOptions } from '../routing/text-input.ts'

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
  /** Adds a schema to `schemas` under this name, unless an equal one is there. Returns a reference to the schema. */
  named(name: string, schema: JsonSchema): JsonSchema
}

const prefix = '#/components/schemas/'

export function schemaWriter(option: SchemaOption = () => undefined): SchemaWriter {
  const schemas: Record<string, JsonSchema> = {}
  const references = new Map<object, JsonSchema>()

  function written(where: string, schema: AnySchema): JsonSchema {
    if (!('~standard' in schema)) return jsonSchema(schema)
    const own = option(schema)
    if (own !== undefined) return own
    const { vendor, jsonSchema: library } = schema['~standard'] as StandardSchema['~standard'] & JsonSchemaOf
    try {
      const { $schema: _, ...rest } = library!.input({ target: 'draft-2020-12' })
      return rest
    } catch (cause) {
      const fields = undescribed(library).map(name => where + name)
      const what = fields.length > 0 ? `${fields.join(' or ')} is in a schema` : `${where} is a schema`
      throw new InvalidOptionError(
        `${what} of ${vendor} without a JSON Schema. Write one in the option schema of openapi().`,
        { cause },
      )
    }
  }

  /**
   * Moves the definitions that a schema refers to, and the schema itself if it has a name or refers to itself, into
   * the components. A definition that equals a component is that component; a name that another schema has gets a
   * number.
   */
  function withComponents({ $defs = {}, ...schema }: JsonSchema, plain?: string): JsonSchema {
    const definitions = $defs as { readonly [name: string]: JsonSchema }
    const moved = new Map<string, { readonly name: string; readonly definition: JsonSchema }>()
    const waiting = referencesIn(schema)
    const isOnlyReference = Object.keys(schema).join() === '$ref'
    if (plain !== undefined && !isOnlyReference) waiting.push('#')
    for (const reference of waiting) {
      const name = reference === '#' ? (plain ?? 'Schema') : reference.replace(/^#\/\$defs\//, '')
      const definition = reference === '#' ? schema : definitions[name]
      if (definition === undefined || moved.has(reference)) continue
      moved.set(reference, { name, definition })
      waiting.push(...referencesIn(definition))
    }
    const places = new Map<string, string>()
    const next = (reference: string, name: string) => {
      const taken = new Set(places.values())
      let place = prefix + name
      for (let i = 2; taken.has(place); i++) place = `${prefix}${name}${i}`
      places.set(reference, place)
    }
    for (const [reference, { name }] of moved) next(reference, name)
    // Another place of one definition changes the definitions that refer to it.
    for (let isSettled = false; !isSettled; ) {
      isSettled = true
      for (const [reference, { name, definition }] of moved) {
        const known = schemas[places.get(reference)!.slice(prefix.length)]
        if (known === undefined || isEqual(known, withReferences(definition, places))) continue
        next(reference, `${name}${nextNumber(places.get(reference)!, name)}`)
        isSettled = false
      }
    }
    for (const [reference, { definition }] of moved)
      schemas[places.get(reference)!.slice(prefix.length)] = withReferences(definition, places)
    return moved.has('#') ? { $ref: places.get('#') } : withReferences(schema, places)
  }

  return {
    schemas,
    schema(where, schema) {
      const known = references.get(schema)
      if (known !== undefined) return known
      const found = written(where, schema)
      const placed = withComponents(found, nameOf(schema, found))
      references.set(schema, placed)
      return placed
    },
    fields(where, schema) {
      const found = written(where, schema)
      return schemaFields(found).map(({ name, required, schemas }) => {
        const [only] = schemas
        const field = schemas.length === 1 ? only : { anyOf: schemas }
        return { name, required, schema: withComponents({ ...field, $defs: found.$defs }) }
      })
    },
    named: (name, schema) => withComponents(schema, name),
  }
}

function nextNumber(place: string, name: string): number {
  return Number(place.slice(prefix.length + name.length) || 1) + 1
}

function isEqual(one: JsonSchema, other: JsonSchema): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function referencesIn(schema: JsonSchema): string[] {
  const found: string[] = []
  JSON.stringify(schema, (key, value) => {
    if (key === '$ref') found.push(value)
    return value
  })
  return found
}

/** Returns the fields that a schema leaves open when it may, such as `.since`: what JSON Schema cannot describe. */
function undescribed(library: JsonSchemaOf['jsonSchema']): readonly string[] {
  try {
    return openFields(library!.input({ target: 'draft-2020-12', libraryOptions }))
  } catch {
    return []
  }
}

function openFields(schema: JsonSchema, depth = 0): readonly string[] {
  if (depth > 20) return []
  const inside = (each: unknown) => openFields(each as JsonSchema, depth + 1)
  const { properties = {}, items, prefixItems, $defs = {}, ...rest } = schema as Record<string, object>
  const { anyOf, oneOf, allOf, additionalProperties } = rest
  const isOpen = (each: unknown) => Object.keys(each as object).length === 0
  const named = Object.entries(properties).flatMap(([name, each]) =>
    (isOpen(each) ? [''] : inside(each)).map(path => `.${name}${path}`),
  )
  const ofLists = [items ?? [], prefixItems ?? []]
    .flat()
    .flatMap(each => (isOpen(each) ? [''] : inside(each)))
  const unnamed = [anyOf, oneOf, allOf, additionalProperties, Object.values($defs)].flat().filter(isObject)
  return [...new Set([...named, ...ofLists, ...unnamed.flatMap(inside)])]
}

interface JsonSchemaOf {
  readonly jsonSchema?: {
    readonly input: (options: { readonly target: string; readonly libraryOptions?: object }) => JsonSchema
  }
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
