import type { Mixed } from 'io-ts'
import type { Codec, Structure } from '../io-ts/codec-structure.ts'
import { requireCodec } from '../io-ts/require-codec.ts'
import { structure } from '../io-ts/structure.ts'

/** A JSON Schema of the dialect 2020-12. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/**
 * Returns the JSON Schema (2020-12) of the values that a codec decodes. The schema accepts every JSON value that the
 * codec accepts. It also accepts other values where JSON Schema cannot express the codec, because a condition or a
 * custom codec becomes only a description. The schema of a codec that refers to itself is in `$defs`.
 *
 * @example
 * jsonSchema(t.type({ id: t.string })) // { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }
 * @throws TypeError for a value that is not an io-ts codec
 */
export function jsonSchema(codec: Mixed): JsonSchema {
  requireCodec(codec)
  const definitions: Record<string, JsonSchema> = {}
  const names = new Map<Codec, string>()
  const schema = schemaOf(codec)
  return names.size === 0 ? schema : { ...schema, $defs: definitions }

  function schemaOf(codec: Codec): JsonSchema {
    const shape = structure(codec)
    const { parts } = shape
    const part = parts[0]!
    switch (shape.kind) {
      case 'any':
        return {}
      case 'typeof':
        return /^(?:string|number|boolean)$/.test(shape.type) ? { type: shape.type } : { not: {} }
      case 'oneOf':
        return oneOf(shape.values)
      case 'object':
        return object(shape)
      case 'record': {
        const domain = structure(shape.domain)
        const anyName = domain.kind === 'typeof' && domain.type === 'string'
        const values = anyName ? schemaOf(part) : {}
        return { type: 'object', ...(isEmpty(values) ? {} : { additionalProperties: values }) }
      }
      case 'array': {
        const items = part ? schemaOf(part) : {}
        return { type: 'array', ...(isEmpty(items) ? {} : { items }) }
      }
      case 'tuple':
        // Decoding drops extra items of a tuple, so the schema accepts them.
        return {
          type: 'array',
          ...(parts.length > 0 ? { prefixItems: parts.map(schemaOf) } : {}),
          minItems: parts.findLastIndex(part => !mayBeAbsent(part)) + 1,
        }
      case 'all':
        return { allOf: parts.map(schemaOf) }
      case 'some':
      case 'tagged': {
        const schemas = parts.filter(part => !isUndefined(part)).map(schemaOf)
        return schemas.length === 1 ? schemas[0]! : { anyOf: schemas }
      }
      case 'refinement':
        return refined(codec, schemaOf(part))
      case 'same':
        if (!shape.read) return schemaOf(part)
        return { type: 'string', contentMediaType: 'application/json', contentSchema: schemaOf(part) }
      case 'recursion':
        return { $ref: `#/$defs/${definitionOf(part)}` }
      case 'custom':
        return { description: codec.name }
    }
  }

  function object({ parts, names, presence }: Extract<Structure, { kind: 'object' }>): JsonSchema {
    const properties = names.map((name, i) => {
      const schema = schemaOf(parts[i]!)
      return [name, presence[i] === 'nullable' ? orNull(schema) : schema] as const
    })
    // Decoding treats an absent field as undefined. So a field that accepts undefined may be absent.
    const required = names.filter(
      (_, i) => presence[i] === 'required' || (presence[i] === 'required-by-is' && !mayBeAbsent(parts[i]!)),
    )
    return {
      type: 'object',
      ...(names.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
      ...(required.length > 0 ? { required } : {}),
    }
  }

  function definitionOf(codec: Codec): string {
    const known = names.get(codec)
    if (known !== undefined) return known
    const plain = codec.name.replace(/[^\w.-]+/g, '_') || 'Schema'
    let name = plain
    for (let i = 2; name in definitions; i++) name = `${plain}${i}`
    names.set(codec, name)
    // Reserves the name until the schema is complete, because the schema may refer to itself.
    definitions[name] = {}
    definitions[name] = schemaOf(codec)
    return name
  }
}

function oneOf(values: readonly unknown[]): JsonSchema {
  const shown = values.filter(value => value !== undefined && typeof value !== 'bigint')
  if (shown.length === 0) return { not: {} }
  if (shown.length > 1) return { enum: shown }
  return shown[0] === null ? { type: 'null' } : { const: shown[0] }
}

function refined({ name }: Codec, schema: JsonSchema): JsonSchema {
  if (name === 'Int' && schema.type === 'number') return { ...schema, type: 'integer' }
  // A name that io-ts generated says nothing about the condition.
  return name.startsWith('(') ? schema : { ...schema, description: name }
}

function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] }
  return isEmpty(schema) ? schema : { anyOf: [schema, { type: 'null' }] }
}

function isEmpty(schema: JsonSchema): boolean {
  return Object.keys(schema).length === 0
}

function isUndefined(codec: Codec): boolean {
  const shape = structure(codec)
  return shape.kind === 'oneOf' && shape.values.every(value => value === undefined)
}

/** Returns whether a codec decodes undefined, which stands for an absent field. */
function mayBeAbsent(codec: Codec): boolean {
  try {
    return codec.decode(undefined)._tag === 'Right'
  } catch {
    return false
  }
}
