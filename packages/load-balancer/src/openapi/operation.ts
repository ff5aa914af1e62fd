import type { Middleware } from '@signalbox/core'
import { answerTypesOf, guardsOf } from '../routing/answer-types.ts'
import type { Route } from '../routing/route.ts'
import type { AnyRouteInput } from '../routing/route-input.ts'
import type { Operation } from './document.ts'
import { requestBody } from './request-body.ts'
import { responses } from './responses.ts'
import type { SchemaWriter } from './schema-writer.ts'

/** The data that an operation in the document needs in addition to its route. */
interface OperationContext {
  readonly operationId: string
  /** The names of the path parameters in the route. */
  readonly ownNames: readonly string[]
  /** The names of the same parameters in the document, where all routes with this path share the names. */
  readonly pathNames: readonly string[]
  /** The security schemes, by the name of the guard. */
  readonly schemes: { readonly [name: string]: object }
}

/** The headers that OpenAPI ignores as parameters, because it describes them elsewhere. */
const describedElsewhere = ['accept', 'content-type', 'authorization']

/** Returns the OpenAPI operation of one route. */
export function operation(
  route: Route,
  { operationId, ownNames, pathNames, schemes }: OperationContext,
  writer: SchemaWriter,
): Operation {
  const input: AnyRouteInput = route.input ?? {}
  const where = `${route.method} ${route.path}`
  const { describe = {} } = input
  const fieldsOf = (part: 'params' | 'query' | 'headers' | 'cookies') =>
    input[part] === undefined ? [] : writer.fields(`${where}: ${part}`, input[part])
  const params = new Map(fieldsOf('params').map(field => [field.name, field.schema]))
  const parameters = [
    ...ownNames.map((name, i) => ({
      name: pathNames[i]!,
      in: 'path' as const,
      required: true,
      schema: params.get(name) ?? { type: 'string' },
    })),
    ...fieldsOf('query').map(field => ({ ...field, in: 'query' as const })),
    ...fieldsOf('headers')
      .filter(({ name }) => !describedElsewhere.includes(name.toLowerCase()))
      .map(field => ({ ...field, in: 'header' as const })),
    ...fieldsOf('cookies').map(field => ({ ...field, in: 'cookie' as const })),
  ]
  const guards = securityOf(route, schemes)
  return {
    operationId,
    ...describe,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(input.body === undefined && input.accepts === undefined
      ? {}
      : { requestBody: requestBody(where, input, writer) }),
    responses: responses(where, input, guards.length > 0, answerTypesOf(route), writer),
    ...(guards.length > 0 ? { security: [Object.fromEntries(guards.map(name => [name, []]))] } : {}),
  }
}

/** Returns the names of the guards of a route that have a security scheme. */
function securityOf(route: Route, schemes: OperationContext['schemes']): readonly string[] {
  const names = guardsOf(route).map(({ name }: Middleware & { name?: string }) => name ?? '')
  return [...new Set(names)].filter(name => Object.hasOwn(schemes, name))
}
