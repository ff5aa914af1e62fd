import { InvalidOptionError, type Middleware } from '@signalbox/core'
import type { Path } from './path-params.ts'
import type { Route, RouteGroup } from './route.ts'

/**
 * Routes below a prefix, with middlewares around each of them. Inside the group `/` is the prefix itself, and the
 * prefix `/` is none. Middlewares see the event, and what the route answered as `response`; those of an outer group
 * run first. Parameters of the prefix are among `params`: a route that wants their types has a codec for `params`.
 * @throws InvalidOptionError for a prefix that ends with a slash
 */
export function group(
  prefix: Path,
  middlewares: readonly Middleware[],
  routes: readonly (Route | RouteGroup)[],
): RouteGroup {
  if (prefix.endsWith('/') && prefix !== '/') {
    throw new InvalidOptionError(`The prefix ${JSON.stringify(prefix)} ends with a slash`)
  }
  return {
    routes: flatten(routes).map(route => ({
      ...route,
      path: below(prefix, route.path),
      middlewares: [...middlewares, ...route.middlewares],
    })),
  }
}

function below(prefix: Path, path: Path): Path {
  if (prefix === '/') return path
  return path === '/' ? prefix : `${prefix}${path}`
}

/** The routes of a list of routes and groups. */
export function flatten(routes: readonly (Route | RouteGroup)[]): readonly Route[] {
  return routes.flatMap(each => ('routes' in each ? each.routes : each))
}
