import { InvalidOptionError, inDevelopmentOrTest, type Request } from '@signalbox/core'
import { type HttpMiddleware, httpMiddleware } from '../middleware/http-middleware.ts'
import { type RouteIndex, routesKey } from '../paths/route-index.ts'
import { asDeclared } from './answer-problems.ts'
import type { Prepared } from './router.ts'

/**
 * Returns the middleware that compares each answer with the `returns` declaration of its route, but only if `NODE_ENV`
 * is `development` or `test`. The answers of handlers are compared without it; it also compares what other middlewares
 * make of them. For a wrong answer, it throws InvalidResponseError, which contains the JSON pointers of the problems.
 * @example signalbox(loadBalancer(routes)).use(checkReturns())
 */
export function checkReturns(): HttpMiddleware {
  return httpMiddleware('check-returns', {
    after: async request => {
      if (!inDevelopmentOrTest()) return
      const { event, response } = request
      const index = (request as Request).internal[routesKey] as RouteIndex<Prepared> | undefined
      if (index === undefined)
        throw new InvalidOptionError(
          'checkReturns() does not know the routes of a middy stack: put it into a group, or use signalbox(loadBalancer(routes))',
        )
      const route = index.find(event.httpMethod, event.path)?.route
      const returns = route?.input?.returns
      if (returns !== undefined) await asDeclared(route!, response!, returns, event)
    },
  })
}
