import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as sdk from '@aws-sdk/client-cognito-identity-provider'

/**
 * A schema in the AWS SDK, which is a number or a list whose first item is its kind. A function can return the list, or
 * it can be part of another list with traits.
 */
type Schema = unknown

const all = sdk as unknown as { readonly [name: string]: readonly Schema[] | undefined }

/** Returns whether Cognito has an operation with this name. */
export function isServiceOperation(name: string): boolean {
  return all[`${name}$`]?.[0] === 9
}

/** The names of Cognito's operations in the installed client, in alphabetical order. */
export const serviceOperations: readonly string[] = Object.keys(all)
  .filter(name => name.endsWith('$') && all[name]?.[0] === 9)
  .map(name => name.slice(0, -1))
  .sort()

/** Returns whether Cognito has an error type with this name. */
export function isServiceError(type: string): boolean {
  return Object.hasOwn(all, type)
}

/** Returns the errors that Cognito's model declares for an operation. */
export function declaredErrors(operation: string): readonly string[] {
  const commands = new URL(
    '../dist-types/commands/',
    import.meta.resolve('@aws-sdk/client-cognito-identity-provider'),
  )
  const text = readFileSync(fileURLToPath(new URL(`${operation}Command.d.ts`, commands)), 'utf8')
  return [...text.matchAll(/@throws \{@link (\w+Exception)\}/g)].map(([, type]) => type!)
}

/** Returns the differences between a JSON response and Cognito's schema for the operation. */
export function answerProblems(operation: string, answer: unknown): readonly string[] {
  const output = all[`${operation}$`]![5]
  return problemsOf(output, JSON.parse(JSON.stringify(answer)), operation)
}

const kinds = { list: 1, map: 2, structure: 3 }
const basic: { readonly [schema: number]: readonly [string, (value: unknown) => boolean] } = {
  0: ['a string', value => typeof value === 'string'],
  1: ['a number', value => typeof value === 'number'],
  2: ['a boolean', value => typeof value === 'boolean'],
  // The upper limit catches times in milliseconds.
  4: ['seconds since 1970', value => typeof value === 'number' && value > 1e9 && value < 1e10],
  21: ['base64', value => typeof value === 'string'],
}

function problemsOf(given: Schema, value: unknown, path: string): readonly string[] {
  const schema = bare(given)
  // Operations that return nothing have this schema.
  if (schema === 'unit') return isEmpty(value) ? [] : [`${path}: expected nothing`]
  if (typeof schema === 'number') {
    if (schema & 64) return problemsOfList(schema & ~64, value, path)
    if (schema & 128) return problemsOfMap(schema & ~128, value, path)
    const [name, fits] = basic[schema] ?? ['anything', () => true]
    return fits(value) ? [] : [`${path}: expected ${name}, got ${JSON.stringify(value)}`]
  }
  const [kind, , , , names, schemas] = schema as readonly [number, ...Schema[]]
  if (kind === kinds.list) return problemsOfList(names, value, path)
  if (kind === kinds.map) return problemsOfMap(schemas, value, path)
  if (kind !== kinds.structure) return problemsOf(names, value, path)
  if (typeof value !== 'object' || value === null) return [`${path}: expected an object`]
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = (names as readonly string[]).indexOf(name)
    if (at < 0) return [`${path}.${name}: the service has no such field`]
    return problemsOf((schemas as readonly Schema[])[at], inner, `${path}.${name}`)
  })
}

function problemsOfList(schema: Schema, value: unknown, path: string): readonly string[] {
  if (!Array.isArray(value)) return [`${path}: expected a list`]
  return value.flatMap((each, at) => problemsOf(schema, each, `${path}.${at}`))
}

function problemsOfMap(schema: Schema, value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: expected a map`]
  return Object.entries(value).flatMap(([name, each]) => problemsOf(schema, each, `${path}.${name}`))
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** Returns a schema without its traits. */
function bare(schema: Schema): Schema {
  if (typeof schema === 'function') return bare(schema())
  return Array.isArray(schema) && schema.length === 2 ? bare(schema[0]) : schema
}
