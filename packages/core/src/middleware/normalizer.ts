import type { BeforeMiddleware, Family, Request } from '../plugin.ts'
import { namedMiddleware } from './named.ts'

/**
 * Returns the middleware that repairs harmless departures from the contract, so that all later code sees only one shape
 * of event. See docs/decisions/core-and-middlewares.md#normalized-in-place.
 */
export function normalizer(family: Family): BeforeMiddleware {
  return namedMiddleware(`${family.name}-normalizer`, {
    before: (request: Request): void => family.normalize(request.event),
  })
}
