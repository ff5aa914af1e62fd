import { isObject } from '@signalbox/codec'
import { type Family, notAnAnswer } from '@signalbox/core/base'
import { readyEvent } from './contract/ready-event.ts'
import { normalizeTrigger } from './event/normalize.ts'

/**
 * The family of user-pool triggers. An event with a string in `triggerSource` belongs to it even when the source is
 * unknown, so that an error can name the misspelt source.
 */
export const userPoolFamily: Family = notAnAnswer('a family', {
  name: 'user-pool',
  recognizes: event =>
    typeof event === 'object' &&
    event !== null &&
    typeof (event as { triggerSource?: unknown }).triggerSource === 'string',
  keys: ['triggerSource', 'userPoolId', 'userName', 'callerContext'],
  correlationId: () => undefined,
  ...(process.env.NODE_ENV !== 'production' && { hint, identifiedBy: 'triggerSource' }),
  get event() {
    return readyEvent()
  },
  normalize: normalizeTrigger,
})

/**
 * Returns a hint for an error about an event that still has the field names of AWS, because no dialect has translated
 * it.
 */
function hint(event: unknown): string | undefined {
  if (!isObject(event) || !isObject(event.callerContext)) return undefined
  const { awsSdkVersion, awsSdk, cloudSdkVersion } = event.callerContext
  return (awsSdkVersion ?? awsSdk) !== undefined && cloudSdkVersion === undefined
    ? 'The event is from AWS Cognito: wrap the handler in aws() of @signalbox/aws, or names such as cognito:user_status stay as they are.'
    : undefined
}
