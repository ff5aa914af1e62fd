import { type Middleware, named, normalizer, type Request, validator } from '@signalbox/core'
import { QueueEnvelope } from './contract/event.ts'
import { queueFamily } from './family.ts'
import { isSettled } from './settled.ts'

/**
 * The normalizer and the validator in one hook, which does nothing for batches that are in order already. The same
 * as the two one after the other, in half the time.
 */
export function receiver(): Middleware {
  const normalize = normalizer(queueFamily).before as (request: Request) => void
  const validate = validator(queueFamily, QueueEnvelope).before as (request: Request) => void
  return {
    name: 'queue-receiver',
    before: named('queue-receiver', (request: Request): void => {
      if (isSettled(request.event)) return
      normalize(request)
      validate(request)
    }),
  }
}
