import { InvalidOptionError } from '@signalbox/core'
import { type Method, methods } from '../contract/index.ts'
import { parsePath } from './path-pattern.ts'
import { kindsOf, type Match, type PathRoutes, pathShape } from './path-shape.ts'

/** Middlewares find the routes in this field of `request.internal`, where middy keeps shared values. */
export const routesKey = 'loadBalancerRoutes'

/** The part of a route that the index reads. */
export interface Indexed {
  readonly method: Method | 'ANY'
  readonly path: string
}

/** An index that finds a route without a search through all routes. */
export interface RouteIndex<R> {
  /**
   * Returns the most specific route for the method and the path, which is not decoded. A GET route serves
   * HEAD unless there is a HEAD route.
   */
  find(method: Method, path: string): Match<R> | undefined
  /**
   * Returns the methods that have a route for the path, and OPTIONS, in the order of the contract. The list is empty
   * for an unknown path.
   */
  allowed(path: string): readonly Method[]
}

/**
 * Makes an index of routes. The time to find a route does not grow with the number of routes: they are grouped by the
 * shape of their paths (an application has a handful of shapes), and the static segments of each shape are looked up.
 *
 * The path is matched exactly and without decoding, including a trailing slash. From left to right, a static segment
 * has priority over a parameter, and a parameter over `{rest+}`, in any order of registration. See
 * docs/decisions/http.md#routes-are-looked-up-by-shape.
 * @throws InvalidOptionError for an invalid path, and for two routes of one method that match the same paths
 */
export function routeIndex<R extends Indexed>(routes: readonly R[]): RouteIndex<R> {
  const byKinds = new Map<string, PathRoutes<R>[]>()
  for (const path of pathsOf(routes)) {
    const kinds = kindsOf(path.segments)
    byKinds.set(kinds, [...(byKinds.get(kinds) ?? []), path])
  }
  const shapes = [...byKinds].map(([kinds, paths]) => pathShape(kinds, paths))
  const deepest = Math.max(1, ...shapes.map(({ kinds }) => kinds.length))
  // The shapes by number of segments. The last entry is for paths that are longer than any route.
  const candidates = Array.from({ length: deepest + 2 }, (_, count) =>
    shapes.filter(({ kinds }) => canHave(kinds, count)).sort(bySpecificity),
  )
  const find = (method: Method, path: string): Match<R> | undefined => {
    if (!path.startsWith('/')) return undefined
    const slashes = slashesOf(path, deepest + 1)
    for (const shape of candidates[slashes.length - 1]!) {
      const match = shape.match(method, path, slashes)
      if (match) return match
    }
    return undefined
  }
  return {
    find,
    allowed(path) {
      const known = methods.filter(method => find(method, path))
      return known.length === 0
        ? []
        : methods.filter(method => known.includes(method) || method === 'OPTIONS')
    },
  }
}

/**
 * Returns the positions of the slashes in a path, and of its end. It stops after `most` segments, so that a long path
 * takes no more time than the longest route.
 */
function slashesOf(path: string, most: number): readonly number[] {
  const slashes: number[] = []
  let at = 0
  while (at >= 0 && slashes.length < most) {
    slashes.push(at)
    at = path.indexOf('/', at + 1)
  }
  slashes.push(at < 0 ? path.length : at)
  return slashes
}

function canHave(kinds: string, count: number): boolean {
  return kinds.endsWith('r') ? count >= kinds.length : count === kinds.length
}

function bySpecificity(a: { kinds: string }, b: { kinds: string }): number {
  return rank(a.kinds) < rank(b.kinds) ? -1 : 1
}

// Returns a string by which shapes are sorted. If two shapes match the same path, at least one of their segments is of
// a different kind. One shape can be shorter than the other only if it has a rest parameter.
function rank(kinds: string): string {
  return kinds.replaceAll('s', '0').replaceAll('p', '1').replaceAll('r', '2')
}

/** Groups routes by path. Two paths that differ only in the names of their parameters are the same path. */
function pathsOf<R extends Indexed>(routes: readonly R[]): readonly PathRoutes<R>[] {
  const paths = new Map<string, { segments: PathRoutes<R>['segments']; routes: Map<Method | 'ANY', R> }>()
  for (const route of routes) {
    const segments = parsePath(route.path)
    const key = segments
      .map(segment => (segment.kind === 'static' ? segment.text : `{${segment.kind}}`))
      .join('/')
    const known = paths.get(key) ?? { segments, routes: new Map<Method | 'ANY', R>() }
    const other = known.routes.get(route.method)
    if (other)
      throw new InvalidOptionError(
        `The route ${route.method} ${route.path} ${other.path === route.path ? 'is defined twice' : `matches the same paths as ${other.path}`}`,
      )
    known.routes.set(route.method, route)
    paths.set(key, known)
  }
  return [...paths.values()]
}
