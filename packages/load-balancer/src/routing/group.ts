import { kindOf } from '@signalbox/codec'
import {
  InvalidOptionError,
  type Middleware,
  notAnAnswer,
  type Request,
  refuseUnknownOptions,
} from '@signalbox/core'
import type { LoadBalancerEvent } from '../contract/index.ts'
import { adaptMiddleware } from '../middleware/middy-middlewares.ts'
import { checkErrorMap, type ErrorMap } from '../response/error-map.ts'
import type { Reply } from '../response/reply.ts'
import type { Declared } from './declared.ts'
import { type Guard, isGuard } from './guard.ts'
import type { Path } from './path-params.ts'
import {
  type AddRoute,
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
} from './route.ts'
import { surround } from './surround.ts'

/** Options of a group. */
export interface GroupOptions {
  /** Maps errors of the routes and middlewares in the group to answers. */
  readonly errors?: ErrorMap
}

/** A middleware that is written inline. Its hooks get load-balancer requests. */
export interface InlineMiddleware {
  readonly name?: string
  readonly before?: (request: Request<LoadBalancerEvent>) => unknown
  readonly after?: (request: Request<LoadBalancerEvent, Reply>) => unknown
  readonly onError?: (request: Request<LoadBalancerEvent, Reply>) => unknown
}

/** The fields that the guards in a list of middlewares add to the request. */
type FieldsOf<Middlewares extends readonly unknown[]> = (
  Middlewares[number] extends infer Each
    ? Each extends Guard<infer Fields>
      ? (fields: Fields) => void
      : never
    : never
) extends (fields: infer All) => void
  ? All
  : unknown

/** The functions that add routes to a group. Their types include the fields that the guards of the group add. */
export interface RouteAdders<Fields> {
  readonly get: AddRoute<Fields, 'GET'>
  readonly post: AddRoute<Fields, 'POST'>
  readonly put: AddRoute<Fields, 'PUT'>
  readonly patch: AddRoute<Fields, 'PATCH'>
  readonly del: AddRoute<Fields, 'DELETE'>
  readonly head: AddRoute<Fields, 'HEAD'>
  readonly options: AddRoute<Fields, 'OPTIONS'>
  readonly any: AddRoute<Fields, 'ANY'>
  readonly group: AddGroup<Fields>
}

/** Makes a group. `Fields` are the fields that the guards of outer groups add to the request. */
export interface AddGroup<Fields = unknown> {
  <const P extends Path, const M extends readonly InlineMiddleware[], R extends Routes>(
    prefix: P,
    middlewares: M,
    routes: GroupRoutes<Fields & FieldsOf<M>, R>,
    options?: GroupOptions,
  ): RouteGroup<Below<P, DeclaredIn<R>>>
  <const P extends Path, const M extends readonly Middleware[], R extends Routes>(
    prefix: P,
    middlewares: M,
    routes: GroupRoutes<Fields & FieldsOf<M>, R>,
    options?: GroupOptions,
  ): RouteGroup<Below<P, DeclaredIn<R>>>
}

type Routes = readonly (Route | RouteGroup)[]

/**
 * Routes, or a function that makes routes. If a function makes the routes, the types of their requests include the
 * fields of the guards.
 */
export type GroupRoutes<Fields, R extends Routes = Routes> = R | ((add: RouteAdders<Fields>) => R)

/** The declared types of the routes in a list. */
export type DeclaredIn<R> = R extends readonly (infer Each)[]
  ? Each extends Route<infer D> | RouteGroup<infer D>
    ? D
    : never
  : never

/** The declared types of routes below a prefix. */
type Below<P extends string, D> = D extends Declared
  ? Omit<D, 'path'> & {
      readonly path: P extends '/' ? D['path'] : D['path'] extends '/' ? P : `${P}${D['path']}`
    }
  : never

/**
 * Makes a group of routes below a prefix, with middlewares around each route. Inside the group, `/` is the prefix
 * itself, and the prefix `/` does not change the paths. The middlewares of an outer group run first. Every middleware
 * gets the event, and the answer of the route as `response`. The parameters of the prefix are in `params`, and a codec
 * for `params` gives them types.
 *
 * @example
 * group('/admin', [signedIn, cors({ origins: ['https://shop.example'] })], ({ get }) => [
 *   get('/orders', ({ user }) => json(ordersOf(user))),
 * ])
 *
 * @throws InvalidOptionError for a prefix that ends with a slash, for a value that is not a middleware or a
 * route, and for a group without routes
 */
export const group: AddGroup = (
  prefix: Path,
  middlewares: readonly Middleware[],
  routes: GroupRoutes<never>,
  options: GroupOptions = {},
): RouteGroup<never> => {
  if (typeof prefix !== 'string') {
    throw new InvalidOptionError(`The prefix of a group is ${kindOf(prefix)}, expected text`)
  }
  if (prefix.endsWith('/') && prefix !== '/') {
    throw new InvalidOptionError(`The prefix ${JSON.stringify(prefix)} ends with a slash`)
  }
  const where = `group(${JSON.stringify(prefix)})`
  if (!Array.isArray(middlewares) || !middlewares.every(isMiddleware)) {
    throw new InvalidOptionError(
      `${where} takes a list of middlewares before the routes: write ${where.slice(0, -1)}, [], […]), or middlewares with before, after or onError in the first list`,
    )
  }
  refuseUnknownOptions(where, options, ['errors'])
  const { errors } = options
  checkErrorMap(where, errors)
  const adapted = middlewares.map(each => (isGuard(each) ? each : adaptMiddleware(each)))
  const listed = typeof routes === 'function' ? routes(adders) : routes
  return notAnAnswer('a group of routes', {
    routes: flatten(where, listed).map(route => ({
      ...route,
      path: below(prefix, route.path),
      middlewares: [...adapted, ...route.middlewares],
      surround,
      errors: errors === undefined ? route.errors : [...route.errors, errors],
    })) as never,
  })
}

const adders = { get, post, put, patch, del, head, options, any, group } as RouteAdders<never>

function below(prefix: Path, path: Path): Path {
  if (prefix === '/') return path
  return path === '/' ? prefix : `${prefix}${path}`
}

/**
 * Returns the routes in a list of routes and groups, including the routes in the groups.
 * @throws InvalidOptionError for an empty list, and for a value that is neither a route nor a group
 */
export function flatten(where: string, routes: readonly (Route | RouteGroup)[]): readonly Route[] {
  if (!Array.isArray(routes))
    throw new InvalidOptionError(
      `The routes of ${where} are ${kindOf(routes)}, expected a list: ${where.replace('()', '')}([get(…), …])`,
    )
  if (routes.length === 0)
    throw new InvalidOptionError(`${where} has no routes. Add one, such as get('/orders', handler).`)
  return routes.flatMap((each: Route | RouteGroup, position) => {
    if (typeof each === 'object' && each !== null) {
      if ('routes' in each) return each.routes
      if ('handler' in each) return each
    }
    throw new InvalidOptionError(
      `Route ${position + 1} of the list is ${kindOf(each)}, expected one made by get, post and the like, group or fromFetch`,
    )
  })
}

function isMiddleware(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['before', 'after', 'onError'].some(
      hook => typeof (value as Record<string, unknown>)[hook] === 'function',
    )
  )
}
