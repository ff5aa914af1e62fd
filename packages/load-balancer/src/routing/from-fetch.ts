import { kindOf } from '@signalbox/codec'
import { InvalidOptionError, notAnAnswer } from '@signalbox/core'
import type { HttpRequest } from '../request/http-request.ts'
import { group } from './group.ts'
import type { Path } from './path-params.ts'
import { any, type RouteGroup } from './route.ts'

/**
 * Mounts a Fetch-API application below a prefix. The application gets every request that no other route serves, with the
 * prefix in its path. A path with dot segments is answered with 400, because the web's `Request` would change it.
 * @example loadBalancer([get('/health', () => noContent()), fromFetch(app.fetch)])
 * @throws InvalidOptionError when `fetch` is not a function
 */
export function fromFetch(
  fetch: (request: Request) => Response | Promise<Response>,
  prefix: Path = '/',
): RouteGroup {
  if (typeof fetch !== 'function') {
    throw new InvalidOptionError(`fromFetch() takes a function such as app.fetch, not ${kindOf(fetch)}`)
  }
  const serve = ({ toWebRequest }: HttpRequest) => fetch(toWebRequest())
  const everything = group(prefix, [], [any('/', serve), any('/{path+}', serve)])
  if (prefix === '/') return everything
  return notAnAnswer('a group of routes', { routes: [...everything.routes, any(`${prefix}/`, serve)] })
}
