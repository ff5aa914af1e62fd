import { type Method, methods } from '../contract/index.ts'

/** The routes of one path, by method. ANY serves every method that has no other route. */
export type RoutesByMethod<R> = ReadonlyMap<Method | 'ANY', R>

/**
 * Finds the route for a method and the static text of a path, with one lookup, even when there are many routes.
 */
export type StaticRoutes<R> = (method: Method, text: string) => R | undefined

/**
 * Makes an index of routes by the static text of their paths. A GET route also serves HEAD, unless there is a HEAD
 * route.
 */
export function staticRoutes<R>(
  paths: Iterable<readonly [text: string, routes: RoutesByMethod<R>]>,
): StaticRoutes<R> {
  const byText = new Map<string, { readonly [M in Method]?: R }>()
  for (const [text, routes] of paths) {
    const served: { [M in Method]?: R } = Object.create(null)
    for (const method of methods) {
      const route =
        routes.get(method) ?? (method === 'HEAD' ? routes.get('GET') : undefined) ?? routes.get('ANY')
      if (route !== undefined) served[method] = route
    }
    byText.set(text, served)
  }
  return (method, text) => byText.get(text)?.[method]
}
