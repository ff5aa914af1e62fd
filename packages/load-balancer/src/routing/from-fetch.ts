import { kindOf } from '@signalbox/codec'
import { InvalidOptionError, notAnAnswer } from '@signalbox/core'
import type { HttpRequest } from '../request/http-request.ts'
import { group } from './group.ts'
import type { Path } from './path-params.ts'
import { any, type RouteGroup } from './route.ts'

/**
 * Mounts a whole Fetch-API application below a prefix: `fromFetch(app.fetch)`. It gets every request, of any
 * method, that no other route serves, and sees the path with the prefix in it. A path with dot segments, which the
 * web's `Request` would turn into another one, is answered with 400.
 * @throws InvalidOptionError for what is not a function
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
