import type { BeforeMiddleware, Family, Request } from '../plugin.ts'
import { namedMiddleware } from './named.ts'

/**
 * Returns the middleware that repairs harmless departures from the contract, so that all later code sees only one shape
 * of event. See docs/decisions/core-and-middlewares.md#normalized-in-place.
 * @example
 * ```ts
 * import middy from '@middy/core'
 * import { normalizer } from '@signalbox/core'
 * import { queueFamily } from '@signalbox/queue/family'
 *
 * export const handler = middy().use(normalizer(queueFamily)).handler(console.log)
 * ```
 */
export function normalizer(family: Family): BeforeMiddleware {
  return namedMiddleware(`${family.name}-normalizer`, {
    before: (request: Request): void => family.normalize(request.event),
  })
}
