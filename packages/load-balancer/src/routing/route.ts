import { type InvocationContext, type Middleware, notAnAnswer } from '@signalbox/core'
import type { Method } from '../contract/index.ts'
import type { HttpRequest } from '../request/http-request.ts'
import type { Values } from '../request/values.ts'
import type { Answer } from '../response/reply.ts'
import type { Path, PathParams } from './path-params.ts'
import { type InputCheck, inputCheck, type RouteInput } from './route-input.ts'

/** What answers the requests of a route. Throw an HttpError for any answer that is an error. */
export type RouteHandler<Request> = (request: Request, context: InvocationContext) => Answer | Promise<Answer>

/**
 * A middy handler of its own, with middlewares for one route. It gets the event, to which the route's parameters
 * are added as `pathParameters`.
 */
export interface MiddyHandler {
  readonly use: unknown
  readonly before: unknown
  readonly after: unknown
  readonly onError: unknown
}

/** A route, ready for `loadBalancer`. */
export interface Route {
  readonly method: Method | 'ANY'
  readonly path: Path
  /** Run around the handler, outermost first. */
  readonly middlewares: readonly Middleware[]
  readonly check: InputCheck | undefined
  /** Bytes that the body may have, if not what the handler's limit says. */
  readonly bodyLimit: number | undefined
  readonly handler: RouteHandler<never> | MiddyHandler
}

/** Routes that belong together, as `group` and `fromFetch` make them. */
export interface RouteGroup {
  readonly routes: readonly Route[]
}

/** Adds a route for one method. */
export interface AddRoute {
  <const P extends Path>(path: P, handler: RouteHandler<HttpRequest<PathParams<P>>> | MiddyHandler): Route
  <const P extends Path, Params = PathParams<P>, Query = Values, Headers = Values, Body = unknown>(
    path: P,
    input: RouteInput<Params, Query, Headers, Body>,
    handler: RouteHandler<HttpRequest<Params, Query, Headers, Body>>,
  ): Route
}

type AnyInput = RouteInput<unknown, unknown, unknown, unknown>

function adder(method: Method | 'ANY'): AddRoute {
  return (path: Path, ...rest: readonly unknown[]): Route => {
    const [input, handler] = (rest.length > 1 ? rest : [undefined, rest[0]]) as [
      AnyInput | undefined,
      unknown,
    ]
    return notAnAnswer('a route', {
      method,
      path,
      middlewares: [],
      check: input ? inputCheck(`${method} ${path}`, input) : undefined,
      bodyLimit: input?.bodyLimit,
      handler: handler as Route['handler'],
    })
  }
}

/** A route for GET, which answers HEAD too, without the body. */
export const get: AddRoute = adder('GET')
/** A route for POST. */
export const post: AddRoute = adder('POST')
/** A route for PUT. */
export const put: AddRoute = adder('PUT')
/** A route for PATCH. */
export const patch: AddRoute = adder('PATCH')
/** A route for DELETE. */
export const del: AddRoute = adder('DELETE')
/** A route for HEAD, where the GET route's answer without its body is not enough. */
export const head: AddRoute = adder('HEAD')
/** A route for OPTIONS, where `Allow` is not enough. */
export const options: AddRoute = adder('OPTIONS')
/** A route for every method that has no route of its own on the same path. */
export const any: AddRoute = adder('ANY')
