import { type Family, notAnAnswer } from '@signalbox/core'
import { triggerEventCodec } from './contract/index.ts'
import { normalizeTrigger } from './event/normalize.ts'

/**
 * The family of user-pool triggers. An event with a string in `triggerSource` belongs to it, also when the source is
 * unknown, so that the error can name the misspelt source.
 */
export const userPoolFamily: Family = notAnAnswer('a family', {
  name: 'user-pool',
  recognizes: event =>
    typeof event === 'object' &&
    event !== null &&
    typeof (event as { triggerSource?: unknown }).triggerSource === 'string',
  keys: ['triggerSource', 'userPoolId', 'userName', 'callerContext'],
  correlationId: () => undefined,
  event: triggerEventCodec,
  normalize: normalizeTrigger,
})
