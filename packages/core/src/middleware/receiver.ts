import { notAnAnswer } from '../not-an-answer.ts'
import type { BeforeMiddleware, Family, Request } from '../plugin.ts'
import { named } from './named.ts'
import { normalizer } from './normalizer.ts'

/**
 * Returns the normalizer and a validator as one hook that skips events which need neither. It does the same as the
 * two hooks in less time.
 *
 * @param isNormalized must be false for an event that the normalizer changes or the validator refuses
 * @param validator the middleware that validates events: `validator(family)`
 */
export function receiver(
  family: Family,
  isNormalized: (event: unknown) => boolean,
  validator: BeforeMiddleware,
): BeforeMiddleware {
  const normalize = normalizer(family).before as (request: Request) => void
  const validate = validator.before as (request: Request) => void
  return notAnAnswer('a middleware', {
    name: `${family.name}-receiver`,
    before: named(`${family.name}-receiver`, (request: Request): void => {
      if (isNormalized(request.event)) return
      normalize(request)
      validate(request)
    }),
  })
}
