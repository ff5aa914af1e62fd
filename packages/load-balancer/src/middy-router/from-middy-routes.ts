import httpRouterHandler from '@middy/http-router'
import { kindOf } from '@signalbox/codec'
import { InvalidOptionError, type InvocationContext, notAnAnswer } from '@signalbox/core'
import type { LoadBalancerEvent } from '../contract/index.ts'
import { showSingleMaps } from '../middleware/middy-middlewares.ts'
import type { HttpRequest } from '../request/http-request.ts'
import {
  any,
  del,
  get,
  head,
  options,
  patch,
  post,
  put,
  type Route,
  type RouteGroup,
} from '../routing/route.ts'

/** The event that the handler of a middy route gets. */
export type MiddyRouteEvent = LoadBalancerEvent & {
  /** The parameters of the path. They are not decoded, as in middy's router. */
  readonly pathParameters?: { readonly [name: string]: string | undefined }
}

/** A route of `@middy/http-router`. The handler may be a middy handler. */
export interface MiddyRoute<
  Handler = (event: MiddyRouteEvent, context: InvocationContext, call: { signal: AbortSignal }) => unknown,
> {
  readonly method: keyof typeof adders
  readonly path: string
  readonly handler: Handler
}

const adders = {
  GET: get,
  POST: post,
  PUT: put,
  PATCH: patch,
  DELETE: del,
  HEAD: head,
  OPTIONS: options,
  ANY: any,
}

/**
 * Makes routes for `loadBalancer` from routes of `@middy/http-router`. Our router decides which requests they get: the
 * most specific route answers, a slash at the end counts, and a method without a route is 405. The handler gets the
 * event with `pathParameters`, which middy's router finds in the path, and the context. What it returns is serialized
 * in the header mode of the request, like the answer of any other route.
 *
 * The paths of the routes are whole paths: in a group, the prefix must be `/`.
 * @example loadBalancer([get('/health', () => noContent()), fromMiddyRoutes(existingRoutes)])
 * @throws InvalidOptionError for an empty list, and for a value that is not a route of middy's router
 */
export function fromMiddyRoutes(routes: readonly MiddyRoute[]): RouteGroup
// Handlers may have any type of event, such as that of `@types/aws-lambda`.
export function fromMiddyRoutes(
  routes: readonly MiddyRoute<(event: never, context: never, call: never) => unknown>[],
): RouteGroup
export function fromMiddyRoutes(routes: readonly MiddyRoute<unknown>[]): RouteGroup {
  if (!Array.isArray(routes) || routes.length === 0) {
    const actual = Array.isArray(routes) ? 'an empty list' : kindOf(routes)
    throw new InvalidOptionError(
      `fromMiddyRoutes() takes a list of middy's routes, { method, path, handler }, not ${actual}`,
    )
  }
  return notAnAnswer('a group of routes', { routes: routes.map(routeOf) })
}

type Serve = (event: MiddyRouteEvent, context: InvocationContext, call: { signal: AbortSignal }) => never

function routeOf(route: MiddyRoute<unknown>, position: number): Route {
  const { method, path, handler } = Object(route) as MiddyRoute<unknown>
  const where = `fromMiddyRoutes(): route ${position + 1}`
  if (!Object.hasOwn(adders, Object(method))) {
    const methods = Object.keys(adders).join(', ')
    throw new InvalidOptionError(
      `${where} has the method ${JSON.stringify(method)}, expected one of ${methods}`,
    )
  }
  if (typeof path !== 'string')
    throw new InvalidOptionError(`${where} has the path ${kindOf(path)}, expected text such as /orders/{id}`)
  if (typeof handler !== 'function')
    throw new InvalidOptionError(
      `${where}, ${method} ${path}, has the handler ${kindOf(handler)}, expected a function`,
    )
  // The method is ANY, because our router has compared it already, and gives HEAD to a route for GET.
  const serve = httpRouterHandler({
    routes: [{ method: 'ANY', path, handler: handler as never }],
    notFoundResponse: ({ path: requested }) => {
      throw new InvalidOptionError(
        `The middy route ${method} ${path} got ${requested}. The paths of fromMiddyRoutes() are whole paths: put it into a group with the prefix '/'`,
      )
    },
  }) as unknown as Serve
  const add = adders[method] as typeof any
  return add(path as never, ({ event, signal }: HttpRequest, context: InvocationContext) => {
    const copy = { ...event }
    showSingleMaps(copy)
    return serve(copy, context, { signal })
  }) as Route
}
