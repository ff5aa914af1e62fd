import { InvalidOptionError } from '@signalbox/core'
import { type Method, methods } from './contract/index.ts'
import { parsePath, type Segment } from './path-pattern.ts'
import { type Match, type Matcher, routeMatcher } from './route-matcher.ts'

/** What the index needs to know of a route. */
export interface Indexed {
  readonly method: Method | 'ANY'
  readonly path: string
}

/** The routes of one path, in a form that finds them without looking at the others. */
export interface RouteIndex<R> {
  /** The most specific route for the method and raw path; a GET route serves HEAD if no other does. */
  find(method: Method, path: string): Match<R> | undefined
  /** The methods that have a route for the raw path, in the contract's order, with HEAD and OPTIONS; or none. */
  allowed(path: string): readonly Method[]
}

/** All paths that have the same kinds of segments in the same places, by the text of their static segments. */
interface Shape<R> {
  /** `s`, `p` or `r` for each segment. */
  readonly kinds: string
  /** Where runs of static segments begin and end. */
  readonly runs: readonly (readonly [from: number, to: number])[]
  readonly buckets: Map<string, Matcher<R>>
}

/**
 * Indexes routes so that the time to find one does not grow with their number. Static segments are looked up, not
 * scanned: paths are grouped by their shape, of which an application has a handful, and within a shape by the text
 * of their static segments; what is left is one path with its methods, which `@middy/http-router` matches.
 *
 * The raw path is matched as it is. From left to right, a static segment beats a parameter, and a parameter beats
 * `{rest+}`, whatever the order of registration.
 * @throws InvalidOptionError for a path that cannot be, and for two routes of one method that match the same paths
 */
export function routeIndex<R extends Indexed>(routes: readonly R[]): RouteIndex<R> {
  const statics = new Map<string, Matcher<R>>()
  const shapes = new Map<string, Shape<R>>()
  for (const { segments, methodRoutes } of byPath(routes).values()) {
    const matcher = routeMatcher(segments, methodRoutes)
    const kinds = segments.map(segment => segment.kind[0]!).join('')
    if (!/[pr]/.test(kinds)) {
      statics.set(textOf(segments), matcher)
      continue
    }
    let shape = shapes.get(kinds)
    if (!shape) {
      shape = { kinds, runs: runsOf(kinds), buckets: new Map() }
      shapes.set(kinds, shape)
    }
    shape.buckets.set(textOf(segments.filter(segment => segment.kind === 'static')), matcher)
  }
  return searchable(statics, [...shapes.values()])
}

function searchable<R>(statics: ReadonlyMap<string, Matcher<R>>, shapes: readonly Shape<R>[]): RouteIndex<R> {
  const deepest = Math.max(1, ...shapes.map(shape => shape.kinds.length))
  // By number of segments. The last list is for deeper paths than any route has.
  const candidates = Array.from({ length: deepest + 2 }, (_, count) =>
    shapes.filter(({ kinds }) => couldMatch(kinds, count)).sort(bySpecificity),
  )
  // Where the slashes of the path at hand are. Shared by all searches, which are synchronous, to spare garbage.
  const slashes: number[] = []

  const search = <T>(path: string, visit: (matcher: Matcher<R>) => T | undefined): T | undefined => {
    const exact = statics.get(path)
    const found = exact && visit(exact)
    if (found !== undefined || path.charCodeAt(0) !== slash) return found
    const count = locate(path, deepest + 1, slashes)
    for (const shape of candidates[count]!) {
      const matcher = shape.buckets.get(keyOf(path, shape, slashes))
      const result = matcher && visit(matcher)
      if (result !== undefined) return result
    }
    return undefined
  }
  return {
    find: (method, path) => search(path, matcher => matcher.match(method, path)),
    allowed(path) {
      const known = new Set<Method>()
      search(path, matcher => {
        if (matcher.matches(path)) for (const method of matcher.methods) known.add(method)
        return undefined
      })
      if (known.size === 0) return []
      if (known.has('GET')) known.add('HEAD')
      return methods.filter(method => known.has(method) || method === 'OPTIONS')
    },
  }
}

const slash = 47

/** Notes where segments begin, and after the last where the path ends; stops counting at `most` segments. */
function locate(path: string, most: number, slashes: number[]): number {
  let count = 0
  for (let at = 0; at >= 0 && count < most; at = path.indexOf('/', at + 1)) slashes[count++] = at
  const next = count < most ? -1 : path.indexOf('/', slashes[count - 1]! + 1)
  slashes[count] = next < 0 ? path.length : next
  return count
}

// Each piece starts with its slash, and a shape says how many there are, so different texts give different keys.
function keyOf<R>(path: string, { runs }: Shape<R>, slashes: readonly number[]): string {
  if (runs.length === 1) return path.slice(slashes[runs[0]![0]], slashes[runs[0]![1]])
  let key = ''
  for (const [from, to] of runs) key += path.slice(slashes[from], slashes[to])
  return key
}

function runsOf(kinds: string): (readonly [number, number])[] {
  return [...kinds.matchAll(/s+/g)].map(({ 0: run, index }) => [index, index + run.length] as const)
}

function couldMatch(kinds: string, count: number): boolean {
  return kinds.endsWith('r') ? count >= kinds.length : count === kinds.length
}

const rank = { s: 0, p: 1, r: 2 }

function bySpecificity({ kinds: a }: { kinds: string }, { kinds: b }: { kinds: string }): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = rank[a[i] as 's'] - rank[b[i] as 's']
    if (difference !== 0) return difference
  }
  return b.length - a.length
}

function textOf(segments: readonly Segment[]): string {
  return segments.map(segment => (segment.kind === 'static' ? `/${segment.text}` : '/')).join('')
}

/** Gathers the routes of each path. Names of parameters make no difference to what a path matches. */
function byPath<R extends Indexed>(routes: readonly R[]) {
  const paths = new Map<string, { segments: readonly Segment[]; methodRoutes: Map<Method | 'ANY', R> }>()
  for (const route of routes) {
    const segments = parsePath(route.path)
    const key = segments
      .map(segment => (segment.kind === 'static' ? segment.text : `{${segment.kind}}`))
      .join('/')
    const known = paths.get(key) ?? { segments, methodRoutes: new Map<Method | 'ANY', R>() }
    const other = known.methodRoutes.get(route.method)
    if (other) {
      const same = other.path === route.path ? 'is there twice' : `matches the same paths as ${other.path}`
      throw new InvalidOptionError(`The route ${route.method} ${route.path} ${same}`)
    }
    known.methodRoutes.set(route.method, route)
    paths.set(key, known)
  }
  return paths
}
