import { InvalidOptionError, refuseUnknownOptions } from '@signalbox/core'
import { parsePath } from '../paths/path-pattern.ts'
import { flatten } from '../routing/group.ts'
import type { Route, RouteGroup } from '../routing/route.ts'
import type { OpenApiDocument, OpenApiOptions, Operation } from './document.ts'
import { operation } from './operation.ts'
import { schemaWriter } from './schema-writer.ts'

const bearerScheme = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }

/**
 * Returns the OpenAPI 3.1 document of routes: parameters, bodies and answers as their codecs and schemas describe them,
 * and the security of their guards. It omits routes made with `any`. OpenAPI has no `{rest+}`. If two routes differ
 * only in this notation, the document contains only the first of them.
 *
 * @example
 * get('/openapi.json', () => json(openapi(routes, { info: { title: 'Orders', version: '1.0.0' } })))
 *
 * @throws InvalidOptionError for an unknown option, and for a schema that has no JSON Schema
 */
export function openapi(routes: readonly (Route | RouteGroup)[], options: OpenApiOptions): OpenApiDocument {
  refuseUnknownOptions('openapi()', options, ['info', 'servers', 'security', 'schema'])
  const { info, servers, security = {} } = options
  if (typeof info?.title !== 'string' || typeof info.version !== 'string') {
    throw new InvalidOptionError("openapi() needs info, such as { title: 'Orders', version: '1.0.0' }")
  }
  const schemes: { readonly [name: string]: object } = { bearer: bearerScheme, ...security }
  const used: Record<string, object> = {}
  const writer = schemaWriter(options.schema)
  const paths: Record<string, Record<string, Operation>> = {}
  const names = new Map<string, { readonly path: string; readonly parameters: readonly string[] }>()
  const ids = new Set<string>()

  for (const route of flatten('openapi()', routes)) {
    if (route.method === 'ANY') continue
    const segments = parsePath(route.path)
    const shape = segments.map(segment => (segment.kind === 'static' ? segment.text : '{}')).join('/')
    const own = segments.flatMap(segment => (segment.kind === 'static' ? [] : [segment.name]))
    const template = segments
      .map(segment => `/${segment.kind === 'static' ? segment.text : `{${segment.name}}`}`)
      .join('')
    // OpenAPI treats paths that differ only in the names of their parameters as the same path.
    const { path, parameters } = names.get(shape) ?? { path: template, parameters: own }
    names.set(shape, { path, parameters })
    paths[path] ??= {}
    const methods = paths[path]
    const method = route.method.toLowerCase()
    if (method in methods) continue
    const operationId = freeId(operationIdOf(route, parameters), ids)
    const written = operation(route, { operationId, ownNames: own, pathNames: parameters, schemes }, writer)
    methods[method] = written
    for (const name of written.security?.flatMap(Object.keys) ?? []) used[name] = schemes[name]!
  }
  const { schemas } = writer
  const components = {
    ...(Object.keys(schemas).length > 0 ? { schemas } : {}),
    ...(Object.keys(used).length > 0 ? { securitySchemes: used } : {}),
  }
  return {
    openapi: '3.1.1',
    info,
    ...(servers ? { servers } : {}),
    paths,
    ...(Object.keys(components).length > 0 ? { components } : {}),
  }
}

/** Returns an id for the operation of a route, such as `getOrdersById`. */
function operationIdOf({ method, path }: Route, pathNames: readonly string[]): string {
  let position = 0
  const words = path.replace(/\{.*?\}/g, () => `by-${pathNames[position++]}`).split(/[^A-Za-z0-9]+/)
  const capitalized = words.map(word => word.charAt(0).toUpperCase() + word.slice(1))
  return method.toLowerCase() + capitalized.join('')
}

/** Adds an id to the set of ids and returns it. A number is appended to an id that is already taken. */
function freeId(plain: string, ids: Set<string>): string {
  let id = plain
  for (let i = 2; ids.has(id); i++) id = `${plain}${i}`
  ids.add(id)
  return id
}
