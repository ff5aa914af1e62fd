import httpRouter from '@middy/http-router'
import { type Method, methods } from '../contract/index.ts'
import type { Segment } from './path-pattern.ts'

/** A route that serves a request, with its parameters as they stand in the path, not decoded. */
export interface Match<R> {
  readonly route: R
  /** In the order of the path. */
  readonly params: readonly string[]
}

/** The routes of one path by method, where ANY stands for all that have no route of their own. */
export interface PathRoutes<R> {
  readonly segments: readonly Segment[]
  readonly routes: ReadonlyMap<Method | 'ANY', R>
}

/** Where the slashes of a path are; after the last, where it ends. */
type Slashes = readonly number[]

/** All paths with the same kinds of segments in the same places, such as `/orders/{id}` and `/items/{id}`. */
export interface PathShape<R> {
  /** `s`, `p` or `r` for each segment. */
  readonly kinds: string
  match(method: Method, path: string, slashes: Slashes): Match<R> | undefined
}

/** The shape that paths of these segments have. */
export function kindsOf(segments: readonly Segment[]): string {
  return segments.map(segment => segment.kind[0]!).join('')
}

/**
 * The paths of one shape, found by the text of their static segments, in a router of `@middy/http-router` that
 * knows static routes alone. Parameters are cut out before it is asked: its own way, a regular expression with a
 * group for each, takes longer than all else that is done for a request, goes through the routes one by one, and
 * has its own ideas of trailing slashes and names.
 */
export function pathShape<R>(kinds: string, paths: readonly PathRoutes<R>[]): PathShape<R> {
  const find = staticRouter(paths)
  const runs = [...kinds.matchAll(/s+/g)].map(({ 0: run, index }) => [index, index + run.length] as const)
  const params = [...kinds.matchAll(/[pr]/g)].map(({ index }) => index)
  const [firstRun] = runs
  const hasRest = kinds.endsWith('r')

  return {
    kinds,
    match(method, path, slashes) {
      let key: string
      if (runs.length === 1) key = path.slice(slashes[firstRun![0]], slashes[firstRun![1]])
      else {
        key = runs.length === 0 ? '/' : ''
        for (const run of runs) key += path.slice(slashes[run[0]], slashes[run[1]])
      }
      const route = find({ httpMethod: method, path: key })
      if (route === undefined) return undefined
      const values: string[] = []
      for (const position of params) {
        const isRest = hasRest && position === kinds.length - 1
        const value = path.slice(slashes[position]! + 1, isRest ? path.length : slashes[position + 1])
        if (value === '') return undefined
        values.push(value)
      }
      return { route, params: values }
    },
  }
}

type StaticRouter<R> = (request: { readonly httpMethod: Method; readonly path: string }) => R | undefined

// All paths of a shape have the same number of static segments, and each brings its slash along, so their texts
// are as different as the paths are; a trailing slash, which the router takes as optional, is a segment too.
function staticRouter<R>(paths: readonly PathRoutes<R>[]): StaticRouter<R> {
  const routes = paths.flatMap(({ segments, routes }) => {
    const path =
      segments.map(segment => (segment.kind === 'static' ? `/${segment.text}` : '')).join('') || '/'
    return [...everyMethod(routes)].map(([method, route]) => ({ method, path, handler: () => route }))
  })
  return httpRouter({ routes, notFoundResponse: () => undefined } as never) as never
}

function everyMethod<R>(routes: ReadonlyMap<Method | 'ANY', R>): ReadonlyMap<Method, R> {
  const every = new Map<Method, R>()
  for (const method of methods) {
    const route =
      routes.get(method) ?? (method === 'HEAD' ? routes.get('GET') : undefined) ?? routes.get('ANY')
    if (route !== undefined) every.set(method, route)
  }
  return every
}
