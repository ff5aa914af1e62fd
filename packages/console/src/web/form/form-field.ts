/** A JSON Schema in the form that the codecs of the contract produce. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** The field that a form shows for a value. */
export type FormField =
  | { readonly kind: 'text' | 'number' | 'boolean' | 'json' }
  | { readonly kind: 'choice'; readonly values: readonly unknown[] }
  | { readonly kind: 'list'; readonly items: Schema }
  | { readonly kind: 'map'; readonly values: Schema }
  | {
      readonly kind: 'object'
      readonly members: readonly {
        readonly name: string
        readonly schema: Schema
        readonly isRequired: boolean
      }[]
    }

/**
 * Returns the form field for a value that a schema describes. If a form cannot represent the schema, returns a JSON
 * field.
 */
export function formField(schema: Schema, value: unknown, root: Schema): FormField {
  const plain = plainSchema(schema, value, root, 0)
  if (Array.isArray(plain.enum)) return { kind: 'choice', values: plain.enum }
  if ('const' in plain) return { kind: 'choice', values: [plain.const] }
  const types = [plain.type].flat().filter(type => type !== 'null')
  if (types.length !== 1) return { kind: 'json' }
  switch (types[0]) {
    case 'string':
      return { kind: 'text' }
    case 'integer':
    case 'number':
      return { kind: 'number' }
    case 'boolean':
      return { kind: 'boolean' }
    case 'array':
      return isSchema(plain.items) ? { kind: 'list', items: plain.items } : { kind: 'json' }
    case 'object':
      if (isSchema(plain.properties)) {
        const required = Array.isArray(plain.required) ? plain.required : []
        return {
          kind: 'object',
          members: Object.entries(plain.properties)
            .filter((entry): entry is [string, Schema] => isSchema(entry[1]))
            .map(([name, member]) => ({ name, schema: member, isRequired: required.includes(name) })),
        }
      }
      return isSchema(plain.additionalProperties)
        ? { kind: 'map', values: plain.additionalProperties }
        : { kind: 'json' }
    default:
      return { kind: 'json' }
  }
}

/** Returns an initial value for a schema. It has only the required members, with empty values. */
export function emptyValue(schema: Schema, root: Schema, depth = 0): unknown {
  const field = formField(schema, undefined, root)
  switch (field.kind) {
    case 'text':
      return ''
    case 'number':
      return 0
    case 'boolean':
      return false
    case 'choice':
      return field.values[0]
    case 'list':
      return []
    case 'object':
      return Object.fromEntries(
        depth > 8
          ? []
          : field.members
              .filter(({ isRequired }) => isRequired)
              .map(({ name, schema: member }) => [name, emptyValue(member, root, depth + 1)]),
      )
    default:
      return field.kind === 'map' ? {} : null
  }
}

/**
 * Resolves the references and alternatives of a schema. It selects the alternative that fits the value best.
 */
function plainSchema(schema: Schema, value: unknown, root: Schema, depth: number): Schema {
  if (depth > 20) return {}
  if (typeof schema.$ref === 'string') {
    const target = schema.$ref.replace('#/$defs/', '')
    const definitions = root.$defs
    const found =
      isSchema(definitions) && Object.hasOwn(definitions, target) ? definitions[target] : undefined
    return isSchema(found) ? plainSchema(found, value, root, depth + 1) : {}
  }
  if (Array.isArray(schema.anyOf)) {
    const choices = schema.anyOf.filter(isSchema).filter(choice => choice.type !== 'null')
    if (choices.length > 1 && choices.every(choice => 'const' in choice))
      return { enum: choices.map(choice => choice.const) }
    const fitting = choices.find(choice => fits(plainSchema(choice, value, root, depth + 1), value))
    const chosen = fitting ?? choices[0]
    return chosen === undefined ? {} : plainSchema(chosen, value, root, depth + 1)
  }
  if (Array.isArray(schema.allOf)) {
    const parts = schema.allOf.filter(isSchema).map(part => plainSchema(part, value, root, depth + 1))
    if (!parts.every(part => part.type === 'object')) return parts[0] ?? {}
    return {
      type: 'object',
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
      required: parts.flatMap(({ required }) => (Array.isArray(required) ? required : [])),
    }
  }
  return schema
}

function fits(schema: Schema, value: unknown): boolean {
  if ('const' in schema) return schema.const === value
  if (Array.isArray(schema.enum)) return schema.enum.includes(value)
  const types = [schema.type].flat()
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  if (!types.includes(type) && !(type === 'number' && types.includes('integer'))) return false
  if (type !== 'object' || !isSchema(schema.properties)) return true
  const own = value as Readonly<Record<string, unknown>>
  return Object.entries(schema.properties).every(
    ([name, member]) =>
      !isSchema(member) ||
      !('const' in member || Array.isArray(member.enum)) ||
      own[name] === undefined ||
      fits(member, own[name]),
  )
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
