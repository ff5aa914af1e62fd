import { named } from './named.ts'
import type { BeforeMiddleware, Family, Request } from './plugin.ts'

/** The middleware that absorbs drift, so that everything after it sees one shape. */
export function normalizer(family: Family): BeforeMiddleware {
  return {
    name: `${family.name}-normalizer`,
    before: named(`${family.name}-normalizer`, (request: Request): void => family.normalize(request.event)),
  }
}
