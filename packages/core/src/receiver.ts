import type { Mixed } from 'io-ts'
import { named } from './named.ts'
import { normalizer } from './normalizer.ts'
import { notAnAnswer } from './not-an-answer.ts'
import type { BeforeMiddleware, Family, Request } from './plugin.ts'
import { validator } from './validator.ts'

/**
 * The normalizer and the validator in one hook, which does nothing for events that are in order already: the same as
 * the two one after the other, in less time.
 *
 * @param isSettled may say so only of events that the normalizer leaves alone and the validator accepts
 * @param codec as for the validator
 */
export function receiver(
  family: Family,
  isSettled: (event: unknown) => boolean,
  codec?: Mixed,
): BeforeMiddleware {
  const normalize = normalizer(family).before as (request: Request) => void
  const validate = validator(family, codec).before as (request: Request) => void
  return notAnAnswer('a middleware', {
    name: `${family.name}-receiver`,
    before: named(`${family.name}-receiver`, (request: Request): void => {
      if (isSettled(request.event)) return
      normalize(request)
      validate(request)
    }),
  })
}
