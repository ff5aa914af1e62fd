import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { StandardSchema } from '@signalbox/codec'
import {
  any,
  byType,
  del,
  get,
  guard,
  head,
  noContent,
  options,
  patch,
  post,
  put,
  type Route,
} from '../index.ts'
import { type JsonSchema, openapi } from './index.ts'

/**
 * Documents from @readme/oas-examples, a package for testing OpenAPI tools. The test makes routes from each document,
 * and an OpenAPI document from these routes. Both documents must be equivalent.
 */
const names = [
  'parameters-style',
  'petstore-simple',
  'petstore',
  'readme-extensions',
  'readme',
  'schema-encoding-style',
  'schema-types',
  'schema-validation-local',
  'security',
  'train-travel',
]

const require = createRequire(import.meta.url)
const adders = { get, put, post, delete: del, patch, head, options }
const describing = ['operationId', 'summary', 'description', 'tags', 'deprecated']
const placeOf = { query: 'query', header: 'headers', cookie: 'cookies', path: 'params' } as const
const describedElsewhere = ['accept', 'content-type', 'authorization']

interface Document {
  readonly info: { readonly title: string; readonly version: string }
  readonly servers?: readonly { readonly url: string }[]
  readonly paths: { readonly [path: string]: { readonly [key: string]: unknown } }
  readonly components?: {
    readonly schemas?: { readonly [name: string]: JsonSchema }
    readonly securitySchemes?: { readonly [name: string]: { readonly type: string } }
  }
  readonly security?: readonly object[]
}

interface Parameter {
  readonly name: string
  readonly in: keyof typeof placeOf
  readonly required?: boolean
  readonly schema?: JsonSchema
}

interface Part {
  readonly content?: { readonly [type: string]: { readonly schema?: JsonSchema } }
}

interface Said {
  readonly [field: string]: unknown
  readonly parameters: readonly Parameter[]
  readonly requestBody?: Part
  readonly responses: { readonly [status: string]: Part }
  readonly security?: readonly object[]
}

/** Returns the target of a reference. */
function resolved<T>(document: object, value: T): T {
  const { $ref } = (value ?? {}) as { readonly $ref?: string }
  if (typeof $ref !== 'string') return value
  const keys = $ref
    .slice(2)
    .split('/')
    .map(key => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
  return resolved(document, keys.reduce((at, key) => (at as Record<string, object>)[key]!, document) as T)
}

/**
 * Returns a schema in which references are replaced by their targets, down to a maximum depth, because some schemas
 * contain themselves.
 */
function schemaIn(document: object, schema: unknown): unknown {
  return expanded(document, resolved(document, schema), 8)
}

function expanded(document: object, schema: unknown, depth: number): unknown {
  if (depth === 0) return '…'
  if (Array.isArray(schema)) return schema.map(each => expanded(document, each, depth))
  if (typeof schema !== 'object' || schema === null) return schema
  const found = resolved(document, schema)
  if (found !== schema) return expanded(document, found, depth - 1)
  return Object.fromEntries(
    Object.entries(schema).map(([key, each]) => [key, expanded(document, each, depth)]),
  )
}

/** Returns the operations of a document, each with the parameters of its path. Resolves references. */
function operationsOf(
  document: Document,
): readonly (readonly [path: string, method: keyof typeof adders, Said])[] {
  // A client cannot request a path with a fragment, so these paths are omitted.
  const paths = Object.entries(document.paths).filter(([path]) => !path.includes('#'))
  return paths.flatMap(([path, item]) =>
    (Object.keys(adders) as (keyof typeof adders)[])
      .filter(method => item[method] !== undefined)
      .map(method => {
        const operation = item[method] as Partial<Said>
        const own = [...((item.parameters as Parameter[]) ?? []), ...(operation.parameters ?? [])].map(each =>
          resolved(document, each),
        )
        const parameters = [...new Map(own.map(each => [`${each.in} ${each.name}`, each])).values()]
        const requestBody = resolved(document, operation.requestBody)
        const responses = Object.fromEntries(
          Object.entries(operation.responses ?? {}).map(([status, each]) => [
            status,
            resolved(document, each),
          ]),
        )
        return [path, method, { ...operation, parameters, requestBody, responses } as Said] as const
      }),
  )
}

/** Returns a Standard Schema that exposes its JSON Schema as https://standardschema.dev/json-schema describes. */
function schemaOf(document: Document, schema: JsonSchema): StandardSchema {
  const $defs = document.components?.schemas ?? {}
  const text = JSON.stringify({
    ...schema,
    ...(JSON.stringify(schema).includes('#/components/') ? { $defs } : {}),
  })
  const written = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as JsonSchema
  const jsonSchema = { input: () => written, output: () => written }
  return {
    '~standard': {
      version: 1,
      vendor: 'published',
      validate: (value: unknown) => ({ value }),
      jsonSchema,
    } as never,
  }
}

function objectOf(document: Document, parameters: readonly Parameter[]): StandardSchema {
  return schemaOf(document, {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema ?? {}])),
    required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
  })
}

function routeOf(document: Document, path: string, method: keyof typeof adders, said: Said): Route {
  const input: Record<string, unknown> = {
    describe: Object.fromEntries(
      describing.filter(name => said[name] !== undefined).map(name => [name, said[name]]),
    ),
  }
  for (const [place, part] of Object.entries(placeOf)) {
    const own = said.parameters.filter(each => each.in === place)
    if (own.length > 0) input[part] = objectOf(document, own)
  }
  const types = Object.entries(said.requestBody?.content ?? {})
  if (types.length > 0) {
    input.body = byType(
      Object.fromEntries(types.map(([type, { schema = {} }]) => [type, schemaOf(document, schema)])),
    )
  }
  input.returns = Object.fromEntries(
    Object.entries(said.responses)
      .filter(([status]) => /^\d+$/.test(status))
      .map(([status, { content }]) => {
        const { schema } = content?.['application/json'] ?? {}
        return [status, schema === undefined ? null : schemaOf(document, schema)]
      }),
  )
  const [scheme] = schemesOf(document, said)
  if (scheme !== undefined)
    input.guard = Object.assign(
      guard(() => {}),
      { name: scheme },
    )
  const add = adders[method] as typeof get
  return add(path as '/', input as never, () => noContent())
}

/** Returns the first security scheme of the first alternative, because a route has only one guard. */
function schemesOf(document: Document, { security = document.security ?? [] }: Said): readonly string[] {
  return Object.keys(security[0] ?? {})
}

describe.each(names)('the published document %s', name => {
  const document = JSON.parse(
    readFileSync(require.resolve(`@readme/oas-examples/3.1/json/${name}.json`), 'utf8'),
  ) as Document
  const operations = operationsOf(document)
  const made = JSON.parse(
    JSON.stringify(
      openapi(
        operations.map(([path, method, said]) => routeOf(document, path, method, said)),
        {
          info: document.info,
          ...(document.servers ? { servers: document.servers } : {}),
          security: document.components?.securitySchemes ?? {},
        },
      ),
    ),
  ) as Document

  it('keeps its operations when it is converted to routes and back', () => {
    expect([made.info, made.servers]).toEqual([document.info, document.servers])
    expect(Object.keys(made.paths)).toEqual([...new Set(operations.map(([path]) => path))])
    for (const [path, method, said] of operations) {
      const found = operationsOf(made).find(each => each[0] === path && each[1] === method)![2]
      const where = `${method} ${path}`
      for (const field of describing) {
        if (said[field] !== undefined) expect([where, found[field]]).toEqual([where, said[field]])
      }
      const shown = (whole: Document, { parameters }: Said) =>
        parameters
          .filter(each => !(each.in === 'header' && describedElsewhere.includes(each.name.toLowerCase())))
          .map(each => [each.in, each.name, each.required === true, schemaIn(whole, each.schema ?? {})])
          .sort()
      expect([where, shown(made, found)]).toEqual([where, shown(document, said)])
      for (const [type, { schema }] of Object.entries(said.requestBody?.content ?? {})) {
        const isBytes = !/json|form|text|xml/.test(type)
        const expected = isBytes ? {} : schemaIn(document, schema ?? {})
        expect([where, type, schemaIn(made, found.requestBody?.content?.[type]?.schema)]).toEqual([
          where,
          type,
          expected,
        ])
      }
      for (const [status, { content }] of Object.entries(said.responses)) {
        if (!/^\d+$/.test(status)) continue
        expect(found.responses[status]).toBeDefined()
        const { schema } = content?.['application/json'] ?? {}
        if (schema === undefined) continue
        const [written] = Object.values(found.responses[status]!.content!)
        expect([where, status, schemaIn(made, written!.schema)]).toEqual([
          where,
          status,
          schemaIn(document, schema),
        ])
      }
      const [scheme] = schemesOf(document, said)
      if (scheme === undefined) continue
      expect([where, found.security]).toEqual([where, [{ [scheme]: [] }]])
      expect(made.components?.securitySchemes?.[scheme]).toEqual(
        document.components?.securitySchemes?.[scheme],
      )
    }
  })

  it('stays valid when it is converted to routes and back', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(made) as never)
    expect([valid, errors]).toEqual([true, undefined])
  })
})

it('an OpenAPI document omits routes made with any()', () => {
  expect(openapi([any('/', () => noContent())], { info: { title: 'a', version: '1' } }).paths).toEqual({})
})
