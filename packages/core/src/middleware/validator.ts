import middyValidator from '@middy/validator'
import { type Problem, schema } from '@signalbox/codec'
import type { Mixed } from 'io-ts'
import { InvalidEventError } from '../errors.ts'
import type { BeforeMiddleware, Family, Request } from '../plugin.ts'
import { namedMiddleware } from './named.ts'

/**
 * Returns the middleware that validates events, with `@middy/validator`. It checks the whole event, unless a plugin
 * passes a codec that checks only a part.
 *
 * Its hook throws InvalidEventError with the error of the validator as its `cause`.
 */
export function validator(family: Family, codec: Mixed = family.event): BeforeMiddleware {
  const predicate = schema(codec)
  const { before } = middyValidator({ eventSchema: predicate as never })
  return namedMiddleware(`${family.name}-validator`, {
    before: (request: Request): void => {
      try {
        before!(request as never)
      } catch (cause) {
        throw new InvalidEventError(family.name, problemsOf(cause), { cause })
      }
    },
  })
}

function problemsOf(cause: unknown): readonly Problem[] {
  return (cause as { cause: { data: readonly Problem[] } }).cause.data
}
