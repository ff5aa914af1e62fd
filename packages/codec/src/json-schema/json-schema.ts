import type { Mixed } from 'io-ts'
import { requireCodec } from '../io-ts/require-codec.ts'
import { examine } from '../problems/examine.ts'
import { readIoTs } from '../structure/read-io-ts.ts'
import { startStructure } from '../structure/structure.ts'
import { type Node, nodesOf } from '../structure/table.ts'
import { writtenStructure } from '../structure/written.ts'

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
  const { table, root, codecs } = writtenStructure(codec) ?? startStructure(codec, readIoTs)
  const nodes = nodesOf(table)
  const definitions: Record<string, JsonSchema> = {}
  const names = new Map<number, string>()
  const schema = schemaOf(root)
  return names.size === 0 ? schema : { ...schema, $defs: definitions }

  function schemaOf(position: number): JsonSchema {
    const node = nodes[position]!
    if (typeof node === 'string')
      return /^(?:string|number|boolean)$/.test(node) ? { type: node } : { not: {} }
    switch (node[0]) {
      case 'any':
        return {}
      case 'one of':
        return oneOf(node.slice(2))
      case 'object':
        return object(node)
      case 'record': {
        const values = node[2] == null ? schemaOf(node[1]) : {}
        return { type: 'object', ...(isEmpty(values) ? {} : { additionalProperties: values }) }
      }
      case 'array': {
        const items = node[1] === undefined ? {} : schemaOf(node[1])
        return { type: 'array', ...(isEmpty(items) ? {} : { items }) }
      }
      case 'tuple': {
        const parts = node.slice(2) as readonly number[]
        // Decoding drops extra items of a tuple, so the schema accepts them.
        return {
          type: 'array',
          ...(parts.length > 0 ? { prefixItems: parts.map(schemaOf) } : {}),
          minItems: parts.findLastIndex(part => !mayBeAbsent(part)) + 1,
        }
      }
      case 'all':
        return { allOf: (node.slice(2) as readonly number[]).map(schemaOf) }
      case 'some':
        return anyOf(node.slice(2) as readonly number[])
      case 'tagged':
        return anyOf((node.slice(3) as (readonly [number])[]).map(([part]) => part))
      case 'where':
        return refined(node[1], schemaOf(node[2]))
      case 'confidential':
      case 'strips':
        return schemaOf(node[1])
      case 'json':
        return { type: 'string', contentMediaType: 'application/json', contentSchema: schemaOf(node[1]) }
      case 'recursive':
        return { $ref: `#/$defs/${definitionOf(node[2], node[1])}` }
      case 'codec': {
        const written = codecs!.get(position)!
        return writtenStructure(written) ? jsonSchema(written) : { description: node[1] }
      }
    }
  }

  function object([, ...fields]: Extract<Node, readonly ['object', ...unknown[]]>): JsonSchema {
    const properties: [string, JsonSchema][] = []
    const required: string[] = []
    for (let i = 0; i < fields.length; i += 2) {
      const [mark, name] = [`${fields[i]}`[0], `${fields[i]}`.slice(1)]
      const part = fields[i + 1] as number
      properties.push([name, mark === '?' ? orNull(schemaOf(part)) : schemaOf(part)])
      // Decoding treats an absent field as undefined. So a field that accepts undefined may be absent.
      if (mark === '!' || (mark === '=' && !mayBeAbsent(part))) required.push(name)
    }
    return {
      type: 'object',
      ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
      ...(required.length > 0 ? { required } : {}),
    }
  }

  function anyOf(parts: readonly number[]): JsonSchema {
    const schemas = parts.filter(part => !isUndefined(nodes[part]!)).map(schemaOf)
    return schemas.length === 1 ? schemas[0]! : { anyOf: schemas }
  }

  function definitionOf(part: number, codecName: string): string {
    const known = names.get(part)
    if (known !== undefined) return known
    const plain = codecName.replace(/[^\w.-]+/g, '_') || 'Schema'
    let name = plain
    for (let i = 2; name in definitions; i++) name = `${plain}${i}`
    names.set(part, name)
    // Reserves the name until the schema is complete, because the schema may refer to itself.
    definitions[name] = {}
    definitions[name] = schemaOf(part)
    return name
  }

  /** Returns whether undefined, which stands for an absent field, can be decoded. */
  function mayBeAbsent(part: number): boolean {
    return (
      examine(
        { table, root: part, ...(codecs ? { codecs, inWords: ({ name }) => name } : {}) },
        undefined,
        true,
      ).count === 0
    )
  }
}

function oneOf(values: readonly unknown[]): JsonSchema {
  const shown = values.filter(value => value !== undefined && typeof value !== 'bigint')
  if (shown.length === 0) return { not: {} }
  if (shown.length > 1) return { enum: shown }
  return shown[0] === null ? { type: 'null' } : { const: shown[0] }
}

function refined(name: string, schema: JsonSchema): JsonSchema {
  if (name === 'Int' && schema.type === 'number') return { ...schema, type: 'integer' }
  // A name that io-ts generated says nothing about the condition.
  return name.includes(' that satisfies ') ? schema : { ...schema, description: name }
}

function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] }
  return isEmpty(schema) ? schema : { anyOf: [schema, { type: 'null' }] }
}

function isEmpty(schema: JsonSchema): boolean {
  return Object.keys(schema).length === 0
}

function isUndefined(node: Node): boolean {
  return node[0] === 'one of' && node.slice(2).every(value => value === undefined)
}
