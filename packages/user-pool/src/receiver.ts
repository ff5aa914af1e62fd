import { type Middleware, named, normalizer, type Request, validator } from '@signalbox/core'
import { userPoolFamily } from './family.ts'
import { isSettled } from './settled.ts'

/**
 * The normalizer and the validator in one hook, which does nothing for events that are in order already. The same
 * as the two one after the other, in less time.
 */
export function receiver(): Middleware {
  const normalize = normalizer(userPoolFamily).before as (request: Request) => void
  const validate = validator(userPoolFamily).before as (request: Request) => void
  return {
    name: 'user-pool-receiver',
    before: named('user-pool-receiver', (request: Request): void => {
      if (isSettled(request.event)) return
      normalize(request)
      validate(request)
    }),
  }
}
