import { completeResponse } from './complete-response.ts'
import { fromAws } from './from-aws.ts'
import { toAws } from './to-aws.ts'
import { shapeOf } from './translation/shape.ts'
import { translations } from './translation/translation.ts'

/**
 * AWS's words for the platform in a box, which speaks the contract's: functions that were written for AWS, such as
 * those that `aws()` returns, run there with this as their `dialect`. Pure, and never throws on any JSON.
 */
export const awsDialect = {
  /** An event of the contract as AWS would send it. */
  event: (event: unknown): unknown => toAws(event),
  /** What a function for AWS answered to an event, in the contract's words; an HTTP response completed. */
  result(answer: unknown, event: unknown): unknown {
    if (shapeOf(answer) !== undefined) return fromAws(answer)
    const asked = shapeOf(event)
    if (asked === 'trigger') return translations.fromAws.trigger(answer)
    return asked === 'http request' ? completeResponse(answer) : answer
  },
}
