import { type Family, notAnAnswer } from '@signalbox/core'
import { triggerEventCodec } from './contract/index.ts'
import { normalizeTrigger } from './normalize.ts'

/**
 * The user-pool triggers, as other parts need to know them. An event with a text `triggerSource` belongs to the
 * family, known or not, so that a misspelt source is named instead of the event being a stranger.
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
