import type { Hint } from '@signalbox/codec'
import { type Invocation, type InvocationContext, type Middleware, notAnAnswer } from '@signalbox/core'
import type { LoadBalancerEvent, Method } from '../contract/index.ts'
import type { RouteIndex } from '../paths/route-index.ts'
import type { Cookies } from '../request/cookies.ts'
import type { HttpRequest, RequestSettings } from '../request/http-request.ts'
import type { Values } from '../request/values.ts'
import type { ErrorMap } from '../response/error-map.ts'
import type { Answer, Reply } from '../response/reply.ts'
import type { AnswerOf, Declared, Returns } from './declared.ts'
import type { Guard } from './guard.ts'
import type { CheckedPath, Path, PathParams } from './path-params.ts'
import { type AnyRouteInput, type InputCheck, inputCheck, type RouteInput } from './route-input.ts'

/** Answers the requests of a route. It can throw an HttpError to answer with an error. */
export type RouteHandler<Request, Returned = Answer> = (
  request: Request,
  context: InvocationContext,
) => Returned | Promise<Returned> | Hint<'return json(…) or another reply'>

/**
 * A middy handler that a route can use as its handler. It gets the event, with the parameters of the route in
 * `pathParameters`.
 */
export interface MiddyHandler {
  readonly use: unknown
  readonly before: unknown
  readonly after: unknown
  readonly onError: unknown
}

/** A route for `loadBalancer`. `D` contains the types that it declares for clients. */
export interface Route<D extends Declared = Declared> {
  readonly method: Method | 'ANY'
  readonly path: Path
  /** The middlewares that run around the handler, the outermost first. */
  readonly middlewares: readonly Middleware[]
  /** Runs middlewares around the handler. Groups bring it, so that a function without groups does not contain it. */
  readonly surround: Surround | undefined
  readonly guard: Guard | undefined
  readonly check: InputCheck | undefined
  /** The error map of the route, followed by the error maps of its groups, the innermost group first. */
  readonly errors: readonly ErrorMap[]
  /** The maximum size of the body in bytes, if it is different from the limit of the handler. */
  readonly bodyLimit: number | undefined
  /** The input of the route, for OpenAPI documents. */
  readonly input: AnyRouteInput | undefined
  readonly handler: RouteHandler<never> | MiddyHandler
  /** This property has no value. It exists only in the type. */
  readonly declares?: D
}

/**
 * Answers a request for one route.
 * @param params the parameters in the order of the path, not decoded
 * @param fields the fields that guards of groups have added to the request
 */
export type ServeRoute = (
  event: LoadBalancerEvent,
  context: InvocationContext,
  invocation: Invocation,
  params: readonly string[],
  fields?: object,
) => Reply | Promise<Reply>

/** Returns a function that runs the middlewares of a route around `serve`. */
export type Surround = (
  route: Route,
  serve: ServeRoute,
  index: () => RouteIndex<unknown>,
  settings: RequestSettings,
) => ServeRoute

/** A list of routes, which `group` and `fromFetch` return. */
export interface RouteGroup<D extends Declared = Declared> {
  readonly routes: readonly Route<D>[]
}

type ForAws = 'for a handler of AWS, write awsRoute(…)'

/** Adds a route for one method. `Fields` are the fields that the guards of its groups add to the request. */
export interface AddRoute<Fields = unknown, M extends Method | 'ANY' = Method | 'ANY'> {
  <const P extends Path>(
    path: CheckedPath<P>,
    handler: RouteHandler<HttpRequest<PathParams<P>> & Fields> | MiddyHandler | Hint<ForAws>,
  ): Route<Declares<M, P>>
  <
    const P extends Path,
    Params = PathParams<P>,
    Query = Values,
    Headers = Values,
    Body = unknown,
    Own = unknown,
    CookieValues = Cookies,
    SentQuery = unknown,
    SentHeaders = unknown,
    SentBody = unknown,
    Answers extends Returns = never,
  >(
    path: CheckedPath<P>,
    input: RouteInput<
      Params,
      Query,
      Headers,
      Body,
      Own,
      CookieValues,
      SentQuery,
      SentHeaders,
      SentBody,
      Answers
    >,
    handler:
      | RouteHandler<
          HttpRequest<Params, Query, Headers, Body, CookieValues> & Fields & Own,
          AnswerOf<NoInfer<Answers>>
        >
      | Hint<ForAws>,
  ): Route<Declares<M, P, SentQuery, SentHeaders, SentBody, Answers>>
}

/** The declared types of a route, under a name that the compiler shows in the type of the route. */
export interface Declares<
  M extends Method | 'ANY',
  P,
  SentQuery = unknown,
  SentHeaders = unknown,
  SentBody = unknown,
  Answers = never,
> {
  readonly method: M
  readonly path: P & string
  readonly query: SentQuery
  readonly headers: SentHeaders
  readonly body: SentBody
  readonly returns: Answers
}

function adder<M extends Method | 'ANY'>(method: M): AddRoute<unknown, M> {
  const add = (path: Path, ...rest: readonly unknown[]): Route => {
    const [input, handler] = (rest.length > 1 ? rest : [undefined, rest[0]]) as [
      AnyRouteInput | undefined,
      unknown,
    ]
    return notAnAnswer('a route', {
      method,
      path,
      middlewares: [],
      surround: undefined,
      guard: input?.guard,
      check: input ? inputCheck(`${method} ${path}`, input) : undefined,
      errors: input?.errors === undefined ? [] : [input.errors],
      bodyLimit: input?.bodyLimit,
      input,
      handler: handler as Route['handler'],
    })
  }
  return add as never
}

/**
 * Makes a route for GET. It also answers HEAD, without the body.
 * @example get('/orders/{id}', async ({ params }) => json(await find(params.id)))
 */
export const get: AddRoute<unknown, 'GET'> = /* @__PURE__ */ adder('GET')
/**
 * Makes a route for POST.
 * @example post('/orders', { body: NewOrder }, ({ body }) => created(`/orders/${body.id}`, body))
 */
export const post: AddRoute<unknown, 'POST'> = /* @__PURE__ */ adder('POST')
/**
 * Makes a route for PUT.
 * @example put('/orders/{id}', { body: Order }, ({ params, body }) => json(replace(params.id, body)))
 */
export const put: AddRoute<unknown, 'PUT'> = /* @__PURE__ */ adder('PUT')
/**
 * Makes a route for PATCH.
 * @example patch('/orders/{id}', { body: Change }, ({ params, body }) => json(change(params.id, body)))
 */
export const patch: AddRoute<unknown, 'PATCH'> = /* @__PURE__ */ adder('PATCH')
/**
 * Makes a route for DELETE.
 * @example del('/orders/{id}', async ({ params }) => { await cancel(params.id); return noContent() })
 */
export const del: AddRoute<unknown, 'DELETE'> = /* @__PURE__ */ adder('DELETE')
/**
 * Makes a route for HEAD. It is needed only if the answer to HEAD is not the answer to GET without the body.
 * @example head('/files/{path+}', ({ params }) => ({ statusCode: exists(params.path) ? 200 : 404 }))
 */
export const head: AddRoute<unknown, 'HEAD'> = /* @__PURE__ */ adder('HEAD')
/**
 * Makes a route for OPTIONS. It is needed only when the automatic answer with `Allow` is not enough.
 * @example options('/', () => json(capabilities))
 */
export const options: AddRoute<unknown, 'OPTIONS'> = /* @__PURE__ */ adder('OPTIONS')
/**
 * Makes a route for every method that has no other route for the same path.
 * @example any('/old/{path+}', ({ params }) => redirect(`/new/${params.path}`, 308))
 */
export const any: AddRoute<unknown, 'ANY'> = /* @__PURE__ */ adder('ANY')
