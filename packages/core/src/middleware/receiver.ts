import type { BaseHandler, BeforeMiddleware, Family, Request } from '../plugin.ts'
import { namedMiddleware } from './named.ts'
import { unknownEvent } from './unknown-event.ts'

/** A middleware that recognizes the events of its family. A handler with one plugin leaves this to its receiver. */
export interface Receiver extends BeforeMiddleware {
  readonly recognizes: true
}

/**
 * Returns the middleware with which a plugin receives an event. It recognizes, normalizes and validates the event, and
 * skips all of this for an event that needs none of it.
 *
 * Its hook throws UnknownEventError for an event of another family, and fails as the hook of the validator does. The
 * first event that needs more than a look is also searched for the names of a provider, because all events of a family
 * come in the same form.
 *
 * @param validator the middleware that validates events, such as `contractValidator(family)`
 * @param accepts returns false for every event that the family does not recognize, the normalizer changes, or the
 * validator refuses. It also gets the handler, if this hook runs directly before it (see `Plugin`).
 */
export function receiver(
  family: Family,
  validator: BeforeMiddleware,
  accepts?: (event: unknown, next?: BaseHandler) => boolean,
): Receiver {
  const validate = validator.before as (request: Request) => void | Promise<void>
  let isAdvised = false
  const middleware = namedMiddleware(`${family.name}-receiver`, {
    before: (request: Request, next?: BaseHandler): void | Promise<void> => {
      const { event } = request
      if (accepts?.(event, next)) return
      if (!family.recognizes(event)) throw unknownEvent(event, [family])
      if (process.env.NODE_ENV !== 'production' && !isAdvised) {
        isAdvised = true
        const advice = family.hint?.(event)
        if (advice !== undefined) console.warn(advice)
      }
      family.normalize(event)
      return validate(request)
    },
  })
  return Object.assign(middleware, { recognizes: true as const })
}
