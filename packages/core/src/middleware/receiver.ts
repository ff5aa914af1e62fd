import type { BeforeMiddleware, Family, Request } from '../plugin.ts'
import { namedMiddleware } from './named.ts'

/**
 * Returns the middleware with which a plugin receives an event. It normalizes and validates the event. Its hook fails as
 * the hook of the validator does.
 *
 * The first event that needs it is also searched for the names of a provider, because all events of a family come in the
 * same form.
 *
 * @param validator the middleware that validates events, such as `contractValidator(family)`
 * @param accepts returns true only for an event that the validator accepts and the normalizer leaves unchanged
 * @example
 * ```ts
 * import { contractValidator, type Plugin, receiver } from '@signalbox/core'
 * import { queueFamily } from '@signalbox/queue/family'
 *
 * export const messageCount: Plugin = {
 *   family: queueFamily,
 *   middlewares: [receiver(queueFamily, contractValidator(queueFamily))],
 *   handler: event => console.log((event as { Records: readonly unknown[] }).Records.length),
 * }
 * ```
 */
export function receiver(
  family: Family,
  validator: BeforeMiddleware,
  accepts?: (event: unknown) => boolean,
): BeforeMiddleware {
  let isAdvised = false
  return namedMiddleware(`${family.name}-receiver`, {
    before: (request: Request): void | Promise<void> => {
      const { event } = request
      if (accepts?.(event)) return
      if (!isAdvised && process.env.NODE_ENV !== 'production') {
        isAdvised = true
        const advice = family.hint?.(event)
        if (advice !== undefined) console.warn(advice)
      }
      family.normalize(event)
      return validator.before(request)
    },
  })
}
