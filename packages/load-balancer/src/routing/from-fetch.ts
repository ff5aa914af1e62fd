import { kindOf } from '@signalbox/codec'
import { InvalidOptionError, type InvocationContext, notAnAnswer } from '@signalbox/core'
import type { LoadBalancerEvent } from '../contract/index.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { toWebRequest } from '../request/to-web-request.ts'
import { group } from './group.ts'
import type { Path } from './path-params.ts'
import { any, type RouteGroup } from './route.ts'

/** What an application gets beside the request. In Hono, it is `c.env`, as with Hono's adapter for AWS Lambda. */
export interface FetchBindings {
  readonly event: LoadBalancerEvent
  readonly requestContext: LoadBalancerEvent['requestContext']
  readonly lambdaContext: InvocationContext
}

/**
 * Mounts an application that uses the Fetch API below a prefix. The application gets every request that no other route
 * serves, with the prefix in its path. The answer to a path with dot segments is 400, because a Web `Request` would
 * change the path. The second argument of `fetch` has the event and the context of the invocation.
 * @example loadBalancer([get('/health', () => noContent()), fromFetch(app.fetch)])
 * @throws InvalidOptionError when `fetch` is not a function
 */
export function fromFetch(
  fetch: (request: Request, bindings: FetchBindings) => Response | Promise<Response>,
  prefix: Path = '/',
): RouteGroup {
  if (typeof fetch !== 'function') {
    throw new InvalidOptionError(`fromFetch() takes a function such as app.fetch, not ${kindOf(fetch)}`)
  }
  const serve = (request: HttpRequest, lambdaContext: InvocationContext) => {
    const { event } = request
    return fetch(toWebRequest(request), { event, requestContext: event.requestContext, lambdaContext })
  }
  const everything = group(prefix, [], [any('/', serve), any('/{path+}', serve)])
  if (prefix === '/') return everything
  return notAnAnswer('a group of routes', { routes: [...everything.routes, any(`${prefix}/`, serve)] })
}
