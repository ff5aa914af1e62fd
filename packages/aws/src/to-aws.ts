import { completeResponse } from './complete-response.ts'
import { isObject, shapeOf } from './translation/shape.ts'
import { triggerPlaces } from './translation/table.ts'
import { translation, translations } from './translation/translation.ts'

const responseToAws = translation(triggerPlaces.response, 'toAws')

/**
 * Translates the result of a function, or a neutral event, into the names of AWS. `event` is the event that AWS sent.
 * It determines the family of a result that does not show its family, such as an HTTP response. An HTTP response
 * gets `statusDescription` and `isBase64Encoded` if they are missing. A user pool reads only `response`, so its
 * `callerContext` and `request` are returned unchanged.
 *
 * The result itself is not modified: the parts that change are copied with the same order of keys. Names of AWS in a
 * result, such as a claim `cognito:groups`, are kept. When an object has both forms of a name, its keys do not
 * change, so that no value is lost. `toAws` never throws for JSON values.
 * @example
 * ```ts
 * import { toAws } from '@signalbox/aws'
 *
 * toAws({ Records: [{ eventSource: 'cloud:queue', cloudRegion: 'eu-central-1' }] })
 * // { Records: [{ eventSource: 'aws:sqs', awsRegion: 'eu-central-1' }] }
 * ```
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
  // If only the neutral event is given, everything is translated. An event whose caller context names no SDK is
  // treated as an AWS event.
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
