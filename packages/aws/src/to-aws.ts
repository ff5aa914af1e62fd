import { complete } from './complete.ts'
import { shapeOf } from './shape.ts'
import { translations } from './translations.ts'

/**
 * What a function made of an event, in AWS's words; likewise a neutral event. `event` is the one that the function
 * was called with, in either dialect: it tells what the result is where the result itself does not, as with the
 * response to a load balancer, which is completed with `statusDescription` and `isBase64Encoded` if it lacks them.
 *
 * The result is not changed, and what differs is copied, in the same order of keys. AWS's own names in an answer,
 * such as a claim `cognito:groups`, pass as they are. Where an object has both forms of a name, its keys are left
 * as they are, so that no value is lost. Never throws on any JSON.
 */
export function toAws(result: unknown, event?: unknown): unknown {
  const own = shapeOf(result)
  if (own !== undefined) return translations.toAws[own](result)
  const asked = shapeOf(event)
  if (asked === 'trigger') return translations.toAws.trigger(result)
  return asked === 'http request' ? complete(result) : result
}
