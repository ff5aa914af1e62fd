import { InvalidOptionError, type InvocationContext, refuseUnknownOptions, signalbox } from '@signalbox/core'
import type { LoadBalancerEvent, Method } from '../contract/index.ts'
import { type LoadBalancerOptions, loadBalancer } from '../load-balancer.ts'
import { parsePath } from '../paths/path-pattern.ts'
import { flatten } from '../routing/group.ts'
import { isGuard } from '../routing/guard.ts'
import type { Path } from '../routing/path-params.ts'
import type { Route, RouteGroup } from '../routing/route.ts'
import { routerOptionNames } from '../routing/router.ts'

/** What a hosted route returns: a response for a load balancer, in a type that fits middy's routers of all events. */
export interface HostedResponse {
  statusCode: number
  statusDescription: string
  isBase64Encoded: boolean
  headers?: { [name: string]: string }
  multiValueHeaders?: { [name: string]: string[] }
  body: string
}

/** A route of `@middy/http-router`, with a route of ours as its handler. */
export interface HostedRoute {
  method: Method | 'ANY'
  path: string
  handler: (event: unknown, context?: InvocationContext) => Promise<HostedResponse>
}

/**
 * Makes routes for the `httpRouterHandler` of `@middy/http-router`, so that an application can move to `loadBalancer`
 * one route at a time. Middy's router decides which requests they get: its order counts, a slash at the end is optional,
 * and a path or method without a route gets its 404. A route answers as it does in `loadBalancer`: its guards, codecs,
 * middlewares and error maps run, and the response is serialized in the header mode of the request.
 *
 * A route for GET also answers HEAD, and a route in a group with middlewares, such as `cors()`, also answers OPTIONS.
 * @param options the options of `loadBalancer`
 * @example httpRouterHandler([...middyRoutes([get('/orders/{id}', order)]), { method: 'GET', path: '/', handler }])
 * @throws InvalidOptionError for what `loadBalancer` refuses, and for a path that middy's router cannot express
 */
export function middyRoutes(
  routes: readonly (Route | RouteGroup)[],
  options: LoadBalancerOptions = {},
): HostedRoute[] {
  refuseUnknownOptions('middyRoutes()', options, [...routerOptionNames, 'log'])
  const listed = flatten('middyRoutes()', routes)
  const handler = hosted([...listed, ...withOtherSlash(listed)], options)
  const made = new Map<string, HostedRoute>()
  for (const route of listed) {
    const path = middyPath(route.path)
    for (const method of methodsOf(route)) made.set(`${method} ${path}`, { method, path, handler })
  }
  return [...made.values()]
}

function methodsOf({ method, middlewares }: Route): readonly HostedRoute['method'][] {
  if (method === 'ANY') return [method]
  // Preflights are for middlewares such as `cors`. Guards do not run for them.
  const answersOptions = middlewares.some(each => !isGuard(each))
  return [
    method,
    ...(method === 'GET' ? ['HEAD' as const] : []),
    ...(answersOptions ? ['OPTIONS' as const] : []),
  ]
}

/** Returns the routes again with a slash at the end, or without it, because middy's router takes both for one path. */
function withOtherSlash(routes: readonly Route[]): readonly Route[] {
  // The names of parameters do not distinguish two paths.
  const shape = (method: string, path: string) => `${method} ${path.replace(/\{[^}]*\}/g, '{}')}`
  const own = new Set(routes.map(({ method, path }) => shape(method, path)))
  return routes
    .filter(({ path }) => path !== '/' && !path.endsWith('+}'))
    .map(route => {
      const path = route.path.endsWith('/') ? route.path.slice(0, -1) : `${route.path}/`
      return { ...route, path: path as Path }
    })
    .filter(({ method, path }) => !own.has(shape(method, path)) && !own.has(shape('ANY', path)))
}

/**
 * Returns a path as middy's router has it: its only rest is `{proxy+}`, and names of parameters are names of groups in a
 * regular expression. The route finds its parameters in the path of the request, so other names lose nothing.
 * @throws InvalidOptionError for a path with parameters and `*`, which middy's router takes as a pattern
 */
function middyPath(path: string): string {
  const segments = parsePath(path)
  const texts = segments.map((segment, position) => {
    if (segment.kind === 'static') return segment.text
    if (segment.kind === 'rest') return '{proxy+}'
    const isName = /^[A-Za-z_]\w*$/.test(segment.name) && segment.name !== 'proxy'
    return `{${isName ? segment.name : `_${position}`}}`
  })
  if (path.includes('*') && path.includes('{'))
    throw new InvalidOptionError(
      `middyRoutes(): the path ${JSON.stringify(path)} has * beside a parameter, which middy's router takes as a pattern`,
    )
  return `/${texts.join('/')}`.replace(/(.)\/$/, '$1')
}

/** The body that a middleware has already parsed. The contract is checked without it. */
const parsedBody = Symbol('load-balancer.parsed-body')

type Parsed = { [parsedBody]?: unknown; body?: unknown }

function hosted(routes: readonly Route[], options: LoadBalancerOptions): HostedRoute['handler'] {
  const serve = signalbox(loadBalancer(routes, options)).before(({ event }: { event: Parsed }) => {
    if (parsedBody in event) event.body = event[parsedBody]
  })
  return async (event, context) => {
    const { body } = event as Partial<LoadBalancerEvent>
    const isParsed = typeof (body ?? '') !== 'string'
    const checked = isParsed ? { ...(event as object), body: null, [parsedBody]: body } : event
    // Middlewares around middy's router expect a body.
    return { body: '', ...(await serve(checked, context)) } as HostedResponse
  }
}
