import { InvalidOptionError, type Middleware, refuseUnknownOptions } from '@signalbox/core'
import { reasonPhrase } from '../contract/status.ts'
import { type BodyKind, bodyKind } from '../request/body.ts'
import type { BodyByType } from '../routing/by-type.ts'
import { flatten } from '../routing/group.ts'
import { type Guard, isGuard } from '../routing/guard.ts'
import { parsePath } from '../routing/path-pattern.ts'
import type { Produces } from '../routing/produces.ts'
import type { Route, RouteGroup } from '../routing/route.ts'
import type { AnyRouteInput } from '../routing/route-input.ts'
import { type JsonSchema, type SchemaOption, schemaWriter } from './schema-writer.ts'

/** Options of `openapi`. */
export interface OpenApiOptions {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly servers?: readonly { readonly url: string; readonly description?: string }[]
  /**
   * The security schemes of guards, by the name of the guard. Default: `bearer` is an HTTP bearer token. A guard of another
   * name is left out.
   */
  readonly security?: {
    readonly [guard: string]: { readonly type: string; readonly [field: string]: unknown }
  }
  /** Writes the JSON Schema of a schema whose library does not show one. Undefined selects the default. */
  readonly schema?: SchemaOption
}

/** An OpenAPI 3.1 document. See docs/decisions/declared-routes.md. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly info: OpenApiOptions['info']
  readonly servers?: NonNullable<OpenApiOptions['servers']>
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components?: {
    readonly schemas?: { readonly [name: string]: JsonSchema }
    readonly securitySchemes?: { readonly [name: string]: object }
  }
}

/** One route in an OpenAPI document. */
export interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: {
    readonly [status: string]: { readonly description: string; readonly content?: Content }
  }
  readonly security?: readonly { readonly [scheme: string]: readonly string[] }[]
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly deprecated?: boolean
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required: boolean
  readonly schema: JsonSchema
}

interface Content {
  readonly [type: string]: { readonly schema: JsonSchema }
}

const bearerScheme = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }

const bodyTypes: { readonly [K in BodyKind]: string } = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain',
  bytes: 'application/octet-stream',
}

/** Headers that OpenAPI describes in other places, and ignores among parameters. */
const describedElsewhere = ['accept', 'content-type', 'authorization']

/**
 * The OpenAPI 3.1 document of routes: parameters, bodies and answers as their codecs and schemas describe them, and the
 * security of their guards. It omits routes for any method. It also omits a route that has the same method and path as
 * an earlier one in OpenAPI, which has no `{rest+}`.
 *
 * @example
 * get('/openapi.json', () => json(openapi(routes, { info: { title: 'Orders', version: '1.0.0' } })))
 *
 * @throws InvalidOptionError for an unknown option, and for a schema that shows no JSON Schema
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
    // Paths that differ in the names of their parameters only are one path to OpenAPI.
    const { path, parameters } = names.get(shape) ?? { path: template, parameters: own }
    names.set(shape, { path, parameters })
    paths[path] ??= {}
    const methods = paths[path]
    methods[route.method.toLowerCase()] ??= operation(route, own, parameters)
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

  function operation(route: Route, own: readonly string[], shown: readonly string[]): Operation {
    const input: AnyRouteInput = route.input ?? {}
    const where = `${route.method} ${route.path}`
    const { describe = {} } = input
    const fieldsOf = (part: 'params' | 'query' | 'headers' | 'cookies') =>
      input[part] === undefined ? [] : writer.fields(`${where}: ${part}`, input[part])
    const params = new Map(fieldsOf('params').map(field => [field.name, field.schema]))
    const list = [
      ...own.map((name, i) => ({
        name: shown[i]!,
        in: 'path' as const,
        required: true,
        schema: params.get(name) ?? { type: 'string' },
      })),
      ...fieldsOf('query').map(field => ({ ...field, in: 'query' as const })),
      ...fieldsOf('headers')
        .filter(({ name }) => !describedElsewhere.includes(name))
        .map(field => ({ ...field, in: 'header' as const })),
      ...fieldsOf('cookies').map(field => ({ ...field, in: 'cookie' as const })),
    ]
    const guards = securityOf(route)
    return {
      operationId: idOf(route, shown),
      ...describe,
      ...(list.length > 0 ? { parameters: list } : {}),
      ...(input.body === undefined && input.accepts === undefined
        ? {}
        : { requestBody: bodyOf(where, input) }),
      responses: responsesOf(where, input, guards.length > 0, answerTypesOf(route)),
      ...(guards.length > 0 ? { security: [Object.fromEntries(guards.map(name => [name, []]))] } : {}),
    }
  }

  /** Such as `getOrdersById`. */
  function idOf({ method, path }: Route, shown: readonly string[]): string {
    let position = 0
    const words = path.replace(/\{.*?\}/g, () => `by-${shown[position++]}`).split(/[^A-Za-z0-9]+/)
    const capitalized = words.map(word => word.charAt(0).toUpperCase() + word.slice(1))
    const plain = method.toLowerCase() + capitalized.join('')
    let id = plain
    for (let i = 2; ids.has(id); i++) id = `${plain}${i}`
    ids.add(id)
    return id
  }

  function bodyOf(
    where: string,
    { body, accepts = ['json'] }: AnyRouteInput,
  ): NonNullable<Operation['requestBody']> {
    if (body !== undefined && 'read' in body) {
      const types = Object.entries((body as BodyByType).types)
      return {
        required: true,
        content: Object.fromEntries(
          types.map(([type, codec]) => [
            type,
            {
              schema:
                bodyKind(type) === 'bytes' && type !== 'multipart/form-data'
                  ? {}
                  : writer.schema(`${where}: ${type}`, codec),
            },
          ]),
        ),
      }
    }
    const schema = body === undefined ? {} : writer.schema(`${where}: body`, body)
    return {
      required: body !== undefined,
      content: Object.fromEntries(
        accepts.map(kind => [bodyTypes[kind], { schema: kind === 'bytes' ? {} : schema }]),
      ),
    }
  }

  function responsesOf(
    where: string,
    input: AnyRouteInput,
    isGuarded: boolean,
    answerTypes: readonly string[] | undefined,
  ): Operation['responses'] {
    const { params, query, headers, cookies, body, accepts, returns = {} } = input
    const found: Record<string, { readonly description: string; readonly content?: Content }> = {}
    const isChecked = [params, query, headers, cookies, body].some(each => each !== undefined)
    if (isChecked) found[400] = problemResponse(400)
    if (isGuarded) found[401] = problemResponse(401)
    if (answerTypes !== undefined) found[406] = problemResponse(406)
    if (body !== undefined || accepts !== undefined) {
      found[413] = problemResponse(413)
      found[415] = problemResponse(415)
    }
    for (const [status, codec] of Object.entries(returns)) {
      const description = reasonPhrase(Number(status)) ?? `Status ${status}`
      if (codec === null) found[status] = { description }
      else {
        const schema = writer.schema(`${where}: returns ${status}`, codec)
        const isError = Number(status) >= 400
        const types = isError ? ['application/problem+json'] : (answerTypes ?? ['application/json'])
        found[status] = {
          description,
          // `returns` describes JSON only.
          content: Object.fromEntries(
            types.map(type => [type, { schema: bodyKind(type) === 'json' ? schema : {} }]),
          ),
        }
      }
    }
    const isDeclared = Object.keys(returns).length > 0
    return isDeclared ? found : { ...found, default: { description: 'The answer of the route' } }
  }

  function problemResponse(status: number) {
    const schema = writer.named('Problem', problemSchema)
    return { description: reasonPhrase(status)!, content: { 'application/problem+json': { schema } } }
  }

  function securityOf(route: Route): readonly string[] {
    const guards = guardsOf(route)
    const names = guards.map(({ name }: Middleware & { name?: string }) => name ?? '')
    const known = [...new Set(names)].filter(name => Object.hasOwn(schemes, name))
    for (const name of known) used[name] = schemes[name]!
    return known
  }
}

function guardsOf({ input, middlewares }: Route): readonly Guard[] {
  return [...middlewares.filter(isGuard), ...(input?.guard ? [input.guard] : [])]
}

/** The media types of the innermost `produces()`; undefined without one. */
function answerTypesOf(route: Route): readonly string[] | undefined {
  return guardsOf(route).findLast((each): each is Produces<string> => 'answerTypes' in each)?.answerTypes
}

/** RFC 9457, with the problems of a request. */
const problemSchema: JsonSchema = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    problems: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          in: { enum: ['params', 'query', 'headers', 'cookies', 'body'] },
          pointer: { type: 'string' },
          expected: { type: 'string' },
          actual: { type: 'string' },
        },
        required: ['in', 'pointer', 'expected', 'actual'],
      },
    },
  },
  required: ['title', 'status'],
}
