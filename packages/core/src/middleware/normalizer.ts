import { notAnAnswer } from '../not-an-answer.ts'
import type { BeforeMiddleware, Family, Request } from '../plugin.ts'
import { named } from './named.ts'

/**
 * Returns the middleware that repairs harmless departures from the contract, so that everything after it sees one shape
 * of event. See docs/decisions/normalize-in-place.md.
 */
export function normalizer(family: Family): BeforeMiddleware {
  return notAnAnswer('a middleware', {
    name: `${family.name}-normalizer`,
    before: named(`${family.name}-normalizer`, (request: Request): void => family.normalize(request.event)),
  })
}
