import httpRouter from '@middy/http-router'
import { type Method, methods } from './contract/index.ts'
import type { Segment } from './path-pattern.ts'

/** A route that serves a request, with its parameters as they stand in the path, not decoded. */
export interface Match<R> {
  readonly route: R
  /** In the order of the path. */
  readonly params: readonly string[]
}

/** One path with the routes of its methods. */
export interface Matcher<R> {
  /** The methods that have a route. */
  readonly methods: readonly Method[]
  match(method: Method, path: string): Match<R> | undefined
  /** Whether the path is one of this matcher's. */
  matches(path: string): boolean
}

/**
 * Matches one path with `@middy/http-router`, from which some of its habits are kept away: it writes into the
 * event it is given, so it gets a small object of its own; it makes regular-expression groups of parameter names,
 * so it gets names that are fit for that; and it takes a trailing slash or a last `{rest+}` as optional, so it is
 * only asked about paths with the right number of segments, and an empty rest is none.
 */
export function routeMatcher<R>(
  segments: readonly Segment[],
  routes: ReadonlyMap<Method | 'ANY', R>,
): Matcher<R> {
  const byMethod = new Map<Method, R>()
  for (const method of methods) {
    const route =
      routes.get(method) ?? (method === 'HEAD' ? routes.get('GET') : undefined) ?? routes.get('ANY')
    if (route !== undefined) byMethod.set(method, route)
  }
  const [someMethod] = byMethod.keys()
  const params = segments.filter(segment => segment.kind !== 'static').map(nameForRouter)
  // Made when it is first needed: a start with a thousand routes compiles no regular expression.
  let router: ((probe: Probe<R>) => void) | undefined

  const match = (method: Method, path: string): Match<R> | undefined => {
    router ??= makeRouter(segments, byMethod)
    const probe: Probe<R> = { httpMethod: method, path, pathParameters: undefined, route: undefined }
    router(probe)
    if (probe.route === undefined) return undefined
    const values = probe.pathParameters
    return { route: probe.route, params: values === undefined ? [] : params.map(name => values[name]!) }
  }
  return {
    methods: [...byMethod.keys()],
    match,
    matches: path => someMethod !== undefined && match(someMethod, path) !== undefined,
  }
}

/** What the router takes for an event, and where its answer ends up. */
interface Probe<R> {
  readonly httpMethod: Method
  readonly path: string
  pathParameters: { readonly [name: string]: string } | undefined
  route: R | undefined
}

function makeRouter<R>(segments: readonly Segment[], byMethod: ReadonlyMap<Method, R>) {
  let position = 0
  const path = segments
    .map(segment => {
      if (segment.kind === 'static') return `/${segment.text}`
      return `/{${nameForRouter(segment, position++)}${segment.kind === 'rest' ? '+' : ''}}`
    })
    .join('')
  const routes = [...byMethod].map(([method, route]) => ({
    method,
    path,
    handler: (probe: Probe<R>) => {
      if (probe.pathParameters?.proxy !== '') probe.route = route
    },
  }))
  return httpRouter({ routes, notFoundResponse: () => undefined } as never) as unknown as (
    probe: Probe<R>,
  ) => void
}

// `proxy` is the one name for which the router lets a parameter hold slashes.
function nameForRouter(segment: Segment, position: number): string {
  return segment.kind === 'rest' ? 'proxy' : `p${position}`
}
