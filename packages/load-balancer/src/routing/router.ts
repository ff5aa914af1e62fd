import {
  InvalidOptionError,
  type Invocation,
  type InvocationContext,
  type Middleware,
  notAnAnswer,
  refuseUnknownOptions,
} from '@signalbox/core'
import { type LoadBalancerEvent, type Method, maxRequestBodyBytes } from '../contract/index.ts'
import { type RouteIndex, routeIndex } from '../paths/route-index.ts'
import { headerMap, type RequestSettings } from '../request/http-request.ts'
import { firstHeader } from '../request/values.ts'
import { checkErrorMap, type ErrorMap, mapError } from '../response/error-map.ts'
import { changedErrorReply } from '../response/error-reply.ts'
import { isForClient, problem, problemOf } from '../response/problem.ts'
import type { Reply } from '../response/reply.ts'
import { toReply } from '../response/to-reply.ts'
import { flatten } from './group.ts'
import { isGuard } from './guard.ts'
import type { Route, RouteGroup, ServeRoute } from './route.ts'
import { mappingErrors, serveRoute } from './serve-route.ts'

/** Options of `router`. */
export interface RouterOptions {
  /**
   * The number of trusted hops that append to `x-forwarded-for` before the request reaches the function. Default: 1,
   * for the load balancer. Set 2 if there is a content delivery network in front of the load balancer.
   */
  readonly trustedHops?: number
  /**
   * The maximum size of a request body in bytes. The answer to a larger body is 413. Default: 1 MB
   * (docs/contract/load-balancer.md#limits.requestBody).
   */
  readonly bodyLimit?: number
  /** Maps errors of routes and middlewares to answers. */
  readonly errors?: ErrorMap
}

export const routerOptionNames = [
  'trustedHops',
  'bodyLimit',
  'errors',
] as const satisfies readonly (keyof RouterOptions)[]

/**
 * A handler that answers each request with one of its routes. `responseSerializer` serializes the replies that it
 * returns.
 */
export interface Router {
  (event: LoadBalancerEvent, context: InvocationContext, invocation: Invocation): Reply | Promise<Reply>
  readonly index: RouteIndex<unknown>
}

/** A route as the index of a handler stores it. */
export interface Prepared {
  readonly method: Method | 'ANY'
  readonly path: string
  readonly input: Route['input']
  readonly middlewares: Route['middlewares']
  readonly serve: ServeRoute
  /** Answers OPTIONS with `Allow`. The middlewares of the route run around it. */
  readonly options: ServeRoute
}

/**
 * Returns the handler of `loadBalancer` without its middlewares, for a middy stack. HttpErrors with a status below 500
 * become replies, so that `after` hooks see them. All other errors are thrown.
 * @example middy().use([responseSerializer(), loadBalancerNormalizer(), loadBalancerValidator()]).handler(router(routes))
 * @throws InvalidOptionError for an unknown option, no routes, an invalid path, or two routes for the same requests
 */
export function router(routes: readonly (Route | RouteGroup)[], options: RouterOptions = {}): Router {
  return routerOf('router()', routes, options)
}

/**
 * Returns the same handler as `router`.
 * @param where the name of the function that the user called, for error messages
 */
export function routerOf(
  where: string,
  routes: readonly (Route | RouteGroup)[],
  options: RouterOptions,
): Router {
  refuseUnknownOptions(where, options, routerOptionNames)
  const settings = readSettings(options)
  const { errors } = options
  checkErrorMap(where, errors)
  const maps = errors === undefined ? [] : [errors]
  const failed = (error: unknown, event: LoadBalancerEvent) => clientReply(maps, error, event, where)
  const prepared = flatten(where, routes).map(route => prepare(route, settings, () => index))
  const index: RouteIndex<Prepared> = routeIndex(prepared)

  const answer: ServeRoute = (event, context, invocation) => {
    const match = index.find(event.httpMethod, event.path)
    if (match) return match.route.serve(event, context, invocation, match.params)
    const allowed = index.allowed(event.path)
    if (allowed.length === 0) return problem(404, 'No route matches this path')
    if (event.httpMethod !== 'OPTIONS') {
      const detail = `${event.httpMethod} is not a method of this path`
      return problem(405, detail, { allow: allowed.join(', ') })
    }
    // This runs the middlewares of the route that a preflight asks for, or else the middlewares of the first route for
    // the path.
    const requested = firstHeader(headerMap(event), 'access-control-request-method')
    const routed = allowed.filter(each => each !== 'OPTIONS')
    const method = routed.find(each => each === requested) ?? routed[0]!
    return index.find(method, event.path)!.route.options(event, context, invocation, [])
  }
  const handler = (event: LoadBalancerEvent, context: InvocationContext, invocation: Invocation) => {
    try {
      const reply = answer(event, context, invocation, [])
      return reply instanceof Promise ? reply.catch(error => failed(error, event)) : reply
    } catch (error) {
      return failed(error, event)
    }
  }
  return notAnAnswer('a handler', Object.assign(handler, { index }))
}

/** Returns the answer to an error that is meant for the client, and throws any other error for the `onError` hooks. */
function clientReply(
  maps: readonly ErrorMap[],
  thrown: unknown,
  event: LoadBalancerEvent,
  where: string,
): Reply | Promise<Reply> {
  try {
    return toReply(mapError(maps, thrown), where, event)
  } catch (error) {
    if (!isForClient(error) || error.statusCode >= 500) throw error
    return changedErrorReply(event, problemOf(error))
  }
}

function prepare(route: Route, settings: RequestSettings, index: () => RouteIndex<Prepared>): Prepared {
  const { method, path, middlewares } = route
  const allow: ServeRoute = event => ({
    statusCode: 204,
    headers: { allow: index().allowed(event.path).join(', ') },
  })
  const inGroups = (serve: ServeRoute, around: readonly Middleware[]) =>
    around.length === 0 ? serve : route.surround!({ ...route, middlewares: around }, serve, index, settings)
  return {
    method,
    path,
    input: route.input,
    middlewares,
    serve: mappingErrors(route, inGroups(serveRoute(route, settings), middlewares)),
    // Browsers send preflights without credentials, so guards do not run for them.
    options: inGroups(
      allow,
      middlewares.filter(each => !isGuard(each)),
    ),
  }
}

function readSettings({ trustedHops = 1, bodyLimit = maxRequestBodyBytes }: RouterOptions): RequestSettings {
  if (!Number.isInteger(trustedHops) || trustedHops < 1) {
    throw new InvalidOptionError(`trustedHops is ${trustedHops}, expected an integer from 1`)
  }
  if (!(bodyLimit >= 0)) throw new InvalidOptionError(`bodyLimit is ${bodyLimit}, expected a number of bytes`)
  return { trustedHops, bodyLimit }
}
