import { formOfAll, formOfAny, type TextForm } from '@signalbox/codec/ready'

/** A JSON Schema, as far as its fields are read. */
interface Schema {
  readonly [keyword: string]: unknown
  readonly properties?: { readonly [name: string]: Schema }
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

/** A field of the objects that a JSON Schema describes. */
export interface SchemaField {
  readonly name: string
  readonly required: boolean
  /** The schemas that the field has in the alternatives of the object, each of them once. */
  readonly schemas: readonly Schema[]
}

/** The maximum number of references and combinations inside each other. */
const deepest = 50

/** Returns the fields of an object, including those of its parts, of its alternatives and of the schemas it refers to. */
export function schemaFields(schema: Schema, root: Schema = schema, depth = 0): readonly SchemaField[] {
  if (depth > deepest) return []
  const { properties = {}, required = [], anyOf, oneOf, allOf = [], $ref } = schema
  const inside = (each: Schema) => schemaFields(each, root, depth + 1)
  const own = Object.entries(properties).map(([name, each]) => ({
    name,
    required: required.includes(name),
    schemas: [each],
  }))
  const referred = $ref === undefined ? [] : inside(referredTo($ref, root))
  const alternatives = [anyOf, oneOf].flatMap(each => (each ? alternativesOf(each.map(inside)) : []))
  return merged([...own, ...referred, ...allOf.flatMap(inside), ...alternatives], fields =>
    fields.some(field => field.required),
  )
}

/** Returns the fields of a union. A field is required if every alternative requires it. */
function alternativesOf(alternatives: readonly (readonly SchemaField[])[]): readonly SchemaField[] {
  return merged(
    alternatives.flat(),
    fields => fields.length === alternatives.length && fields.every(field => field.required),
  )
}

function merged(
  fields: readonly SchemaField[],
  isRequired: (fields: readonly SchemaField[]) => boolean,
): readonly SchemaField[] {
  return [...new Set(fields.map(({ name }) => name))].map(name => {
    const same = fields.filter(field => field.name === name)
    const schemas = new Map(same.flatMap(each => each.schemas).map(each => [JSON.stringify(each), each]))
    return { name, required: isRequired(same), schemas: [...schemas.values()] }
  })
}

/** Returns the form in which each field of a schema takes text. */
export function schemaForms(schema: Schema): ReadonlyMap<string, TextForm> {
  const fields = schemaFields(schema)
  return new Map(
    fields.map(({ name, schemas }) => [name, formOfAny(schemas.map(each => formOf(each, schema)))]),
  )
}

function formOf(schema: Schema, root: Schema, depth = 0): TextForm {
  if (depth > deepest) return 'open'
  const { $ref, type, enum: values, anyOf, oneOf, allOf = [] } = schema
  const inside = (each: Schema) => formOf(each, root, depth + 1)
  const forms = [...allOf.map(inside)]
  if ($ref !== undefined) forms.push(inside(referredTo($ref, root)))
  for (const alternatives of [anyOf, oneOf]) {
    if (alternatives) forms.push(formOfAny(alternatives.filter(each => each.type !== 'null').map(inside)))
  }
  if (type !== undefined) {
    const types = [type].flat().filter(each => each !== 'null')
    forms.push(formOfAny(types.map(each => (each === 'array' ? 'list' : 'text'))))
  }
  const constants = Array.isArray(values) ? values : 'const' in schema ? [schema.const] : []
  if (constants.some(each => typeof each === 'string')) forms.push('text')
  return formOfAll(forms)
}

/** Returns the schema inside the root that a reference names. */
function referredTo(reference: unknown, root: Schema): Schema {
  let at: unknown = root
  for (const key of String(reference).split('/').slice(1)) {
    at = (at as Schema | undefined)?.[decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return (at ?? {}) as Schema
}
