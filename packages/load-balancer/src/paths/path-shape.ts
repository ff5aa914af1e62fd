import type { Method } from '../contract/index.ts'
import type { Segment } from './path-pattern.ts'
import { type RoutesByMethod, staticRoutes } from './static-routes.ts'

/** The route that serves a request, and the values of its path parameters, not decoded. */
export interface Match<R> {
  readonly route: R
  /** The values of the parameters, in the order of the path. */
  readonly params: readonly string[]
}

/** The routes of one path. */
export interface PathRoutes<R> {
  readonly segments: readonly Segment[]
  readonly routes: RoutesByMethod<R>
}

/** The positions of the slashes in a path, followed by the position of its end. */
type Slashes = readonly number[]

/** All paths with the same kinds of segments in the same order, such as `/orders/{id}` and `/items/{id}`. */
export interface PathShape<R> {
  /** `s` (static), `p` (parameter) or `r` (rest) for each segment. */
  readonly kinds: string
  match(method: Method, path: string, slashes: Slashes): Match<R> | undefined
}

/** Returns the `kinds` of a path with these segments. */
export function kindsOf(segments: readonly Segment[]): string {
  return segments.map(segment => segment.kind[0]!).join('')
}

/**
 * Matches the paths of one shape: it looks up the text of the static segments, and takes the parameters from the
 * path. This needs neither regular expressions nor a search through all routes.
 */
export function pathShape<R>(kinds: string, paths: readonly PathRoutes<R>[]): PathShape<R> {
  // Each static segment keeps its slash, so that different paths of one shape have different keys.
  const find = staticRoutes(paths.map(({ segments, routes }) => [staticText(segments), routes] as const))
  const staticRuns: [start: number, end: number][] = []
  const params: number[] = []
  for (const [position, kind] of [...kinds].entries()) {
    if (kind !== 's') params.push(position)
    else if (kinds[position - 1] === 's') staticRuns.at(-1)![1]++
    else staticRuns.push([position, position + 1])
  }
  const hasRest = kinds.endsWith('r')

  return {
    kinds,
    match(method, path, slashes) {
      let text = ''
      for (const [start, end] of staticRuns) text += path.slice(slashes[start], slashes[end])
      const route = find(method, text)
      if (route === undefined) return undefined
      const values: string[] = []
      for (const position of params) {
        const start = slashes[position]! + 1
        const end = hasRest && position === kinds.length - 1 ? path.length : slashes[position + 1]
        if (start === end) return undefined
        values.push(path.slice(start, end))
      }
      return { route, params: values }
    },
  }
}

function staticText(segments: readonly Segment[]): string {
  return segments.map(segment => (segment.kind === 'static' ? `/${segment.text}` : '')).join('')
}
