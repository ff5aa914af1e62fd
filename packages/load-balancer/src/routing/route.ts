import { type InvocationContext, type Middleware, notAnAnswer } from '@signalbox/core'
import type { Method } from '../contract/index.ts'
import type { HttpRequest } from '../request/http-request.ts'
import type { Values } from '../request/values.ts'
import type { ErrorMap } from '../response/error-map.ts'
import type { Answer } from '../response/reply.ts'
import type { Guard } from './guard.ts'
import type { CheckedPath, Hint, Path, PathParams } from './path-params.ts'
import { type InputCheck, inputCheck, type RouteInput } from './route-input.ts'

/** Answers the requests of a route. Throws an HttpError to answer with an error. */
export type RouteHandler<Request> = (
  request: Request,
  context: InvocationContext,
) => Answer | Promise<Answer> | Hint<'return json(…) or another reply'>

/**
 * A middy handler as the handler of a route. It gets the event, with the route's parameters as `pathParameters`.
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
  /** They run around the handler, the outermost first. */
  readonly middlewares: readonly Middleware[]
  readonly guard: Guard | undefined
  readonly check: InputCheck | undefined
  /** The route's own error map, then those of its groups, the innermost first. */
  readonly errors: readonly ErrorMap[]
  /** Maximum size of the body in bytes, if it differs from the limit of the handler. */
  readonly bodyLimit: number | undefined
  readonly handler: RouteHandler<never> | MiddyHandler
}

/** Several routes, as `group` and `fromFetch` make them. */
export interface RouteGroup {
  readonly routes: readonly Route[]
}

/** Adds a route for one method. `Fields` are what the guards of its groups add to the request. */
export interface AddRoute<Fields = unknown> {
  <const P extends Path>(
    path: CheckedPath<P>,
    handler: RouteHandler<HttpRequest<PathParams<P>> & Fields> | MiddyHandler,
  ): Route
  <
    const P extends Path,
    Params = PathParams<P>,
    Query = Values,
    Headers = Values,
    Body = unknown,
    Own = unknown,
  >(
    path: CheckedPath<P>,
    input: RouteInput<Params, Query, Headers, Body, Own>,
    handler: RouteHandler<HttpRequest<Params, Query, Headers, Body> & Fields & Own>,
  ): Route
}

type AnyInput = RouteInput<unknown, unknown, unknown, unknown>

function adder(method: Method | 'ANY'): AddRoute {
  const add = (path: Path, ...rest: readonly unknown[]): Route => {
    const [input, handler] = (rest.length > 1 ? rest : [undefined, rest[0]]) as [
      AnyInput | undefined,
      unknown,
    ]
    return notAnAnswer('a route', {
      method,
      path,
      middlewares: [],
      guard: input?.guard,
      check: input ? inputCheck(`${method} ${path}`, input) : undefined,
      errors: input?.errors === undefined ? [] : [input.errors],
      bodyLimit: input?.bodyLimit,
      handler: handler as Route['handler'],
    })
  }
  return add as AddRoute
}

/**
 * A route for GET. It answers HEAD too, without the body.
 * @example get('/orders/{id}', async ({ params }) => json(await find(params.id)))
 */
export const get: AddRoute = /* @__PURE__ */ adder('GET')
/**
 * A route for POST.
 * @example post('/orders', { body: NewOrder }, ({ body }) => created(`/orders/${body.id}`, body))
 */
export const post: AddRoute = /* @__PURE__ */ adder('POST')
/**
 * A route for PUT.
 * @example put('/orders/{id}', { body: Order }, ({ params, body }) => json(replace(params.id, body)))
 */
export const put: AddRoute = /* @__PURE__ */ adder('PUT')
/**
 * A route for PATCH.
 * @example patch('/orders/{id}', { body: Change }, ({ params, body }) => json(change(params.id, body)))
 */
export const patch: AddRoute = /* @__PURE__ */ adder('PATCH')
/**
 * A route for DELETE.
 * @example del('/orders/{id}', async ({ params }) => { await cancel(params.id); return noContent() })
 */
export const del: AddRoute = /* @__PURE__ */ adder('DELETE')
/**
 * A route for HEAD, for paths where the GET route without its body is not enough.
 * @example head('/files/{path+}', ({ params }) => ({ statusCode: exists(params.path) ? 200 : 404 }))
 */
export const head: AddRoute = /* @__PURE__ */ adder('HEAD')
/**
 * A route for OPTIONS, for paths where `Allow` is not enough.
 * @example options('/', () => json(capabilities))
 */
export const options: AddRoute = /* @__PURE__ */ adder('OPTIONS')
/**
 * A route for every method without a route of its own on the same path.
 * @example any('/old/{path+}', ({ params }) => redirect(`/new/${params.path}`, 308))
 */
export const any: AddRoute = /* @__PURE__ */ adder('ANY')
