import { kindOf } from '@signalbox/codec'
import { InvalidOptionError, notAnAnswer } from '@signalbox/core'
import type { HttpRequest } from '../request/http-request.ts'
import { group } from './group.ts'
import type { Path } from './path-params.ts'
import { any, type RouteGroup } from './route.ts'

/**
 * Mounts an application that uses the Fetch API below a prefix. The application gets every request that no other route
 * serves, with the prefix in its path. The answer to a path with dot segments is 400, because a Web `Request` would
 * change the path.
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
