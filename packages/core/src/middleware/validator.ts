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
 * Its hook rejects with InvalidEventError, whose `cause` is the error of the validator. The hook of `@middy/validator` 6 is
 * asynchronous. Version 7 is not, but its dependencies do not install on Node 22 without a warning.
 * @example
 * ```ts
 * import middy from '@middy/core'
 * import { normalizer, validator } from '@signalbox/core'
 * import { queueFamily } from '@signalbox/queue/family'
 *
 * export const handler = middy().use([normalizer(queueFamily), validator(queueFamily)]).handler(console.log)
 * ```
 */
export function validator(family: Family, codec: Mixed = family.event): BeforeMiddleware {
  return namedMiddleware(`${family.name}-validator`, {
    before: async (request: Request): Promise<void> => {
      // The hook reads the errors of its schema only after a pause, in which another event may be validated. So each event
      // has a schema of its own.
      const { before } = middyValidator({ eventSchema: schema(codec) as never })
      try {
        await before!(request as never)
      } catch (cause) {
        throw new InvalidEventError(family.name, problemsOf(cause), { cause })
      }
    },
  })
}

function problemsOf(cause: unknown): readonly Problem[] {
  return (cause as { cause: { data: readonly Problem[] } }).cause.data
}
