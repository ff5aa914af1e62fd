import { completeResponse } from './complete-response.ts'
import { isObject, shapeOf } from './translation/shape.ts'
import { triggerPlaces } from './translation/table.ts'
import { translation, translations } from './translation/translation.ts'

const responseToAws = translation(triggerPlaces.response, 'toAws')

/**
 * What a function made of an event, in AWS's words; likewise a neutral event. `event` is the one that AWS sent. It
 * tells what the result is where the result itself does not, as with the response to a load balancer, which is
 * completed with `statusDescription` and `isBase64Encoded` if it lacks them. And a user pool gets its own
 * `callerContext` and `request` back as they came, since it looks at nothing but `response`.
 *
 * The result is not changed, and what differs is copied, in the same order of keys. AWS's own names in an answer,
 * such as a claim `cognito:groups`, pass as they are. Where an object has both forms of a name, its keys are left
 * as they are, so that no value is lost. Never throws on any JSON.
 */
export function toAws(result: unknown, event?: unknown): unknown {
  const asked = shapeOf(event)
  if (asked === 'trigger' && isObject(result)) return triggerResult(event as Json, result)
  const own = shapeOf(result)
  if (own !== undefined) return translations.toAws[own](result)
  return asked === 'http request' ? completeResponse(result) : result
}

type Json = Readonly<Record<string, unknown>>

function triggerResult(event: Json, result: Json): unknown {
  const { callerContext, request } = event
  // Somebody who has only the neutral event gets everything translated. One that doesn't say is AWS's own.
  if (!isObject(callerContext) || isNeutral(callerContext)) return translations.toAws.trigger(result)
  const answer: Record<string, unknown> = { ...result }
  if (isObject(answer.callerContext)) answer.callerContext = callerContext
  if (isObject(answer.request) && isObject(request)) answer.request = request
  if (answer.response !== undefined) answer.response = responseToAws(answer.response)
  return answer
}

function isNeutral(callerContext: Json): boolean {
  if ('awsSdkVersion' in callerContext || 'awsSdk' in callerContext) return false
  return 'cloudSdkVersion' in callerContext || 'cloudSdk' in callerContext
}
