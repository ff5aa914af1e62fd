import { kindOf } from '@signalbox/codec'
import { InvalidOptionError, type Middleware, notAnAnswer } from '@signalbox/core'
import { adaptMiddleware } from '../middleware/middy-middlewares.ts'
import type { Path } from './path-params.ts'
import type { Route, RouteGroup } from './route.ts'

/**
 * Routes below a prefix, with middlewares around each of them. Inside the group `/` is the prefix itself, and the
 * prefix `/` is none. Middlewares see the event, and what the route answered as `response`; those of an outer group
 * run first. Parameters of the prefix are among `params`: a route that wants their types has a codec for `params`.
 * @throws InvalidOptionError for a prefix that ends with a slash, for what are not middlewares or routes, and for no
 * routes
 */
export function group(
  prefix: Path,
  middlewares: readonly Middleware[],
  routes: readonly (Route | RouteGroup)[],
): RouteGroup {
  if (typeof prefix !== 'string') {
    throw new InvalidOptionError(`The prefix of a group is ${kindOf(prefix)}, expected text`)
  }
  if (prefix.endsWith('/') && prefix !== '/') {
    throw new InvalidOptionError(`The prefix ${JSON.stringify(prefix)} ends with a slash`)
  }
  if (!Array.isArray(middlewares) || !middlewares.every(isMiddleware)) {
    throw new InvalidOptionError(
      `group(${JSON.stringify(prefix)}) takes a list of middlewares before the routes, each with before, after or onError`,
    )
  }
  const adapted = middlewares.map(adaptMiddleware)
  return notAnAnswer('a group of routes', {
    routes: flatten(`group(${JSON.stringify(prefix)})`, routes).map(route => ({
      ...route,
      path: below(prefix, route.path),
      middlewares: [...adapted, ...route.middlewares],
    })),
  })
}

function below(prefix: Path, path: Path): Path {
  if (prefix === '/') return path
  return path === '/' ? prefix : `${prefix}${path}`
}

/**
 * The routes of a list of routes and groups.
 * @throws InvalidOptionError for anything else, and for none, since nothing would be served
 */
export function flatten(where: string, routes: readonly (Route | RouteGroup)[]): readonly Route[] {
  if (!Array.isArray(routes))
    throw new InvalidOptionError(`The routes of ${where} are ${kindOf(routes)}, expected a list`)
  if (routes.length === 0)
    throw new InvalidOptionError(`${where} has no routes. Add one, such as get('/orders', handler).`)
  return routes.flatMap((each: Route | RouteGroup, position) => {
    if (typeof each === 'object' && each !== null) {
      if ('routes' in each) return each.routes
      if ('handler' in each) return each
    }
    const expected = 'one made by get, post and the like, group or fromFetch'
    throw new InvalidOptionError(`Route ${position + 1} of the list is ${kindOf(each)}, expected ${expected}`)
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
