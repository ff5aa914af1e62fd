import { completeResponse } from './complete-response.ts'
import { fromAws } from './from-aws.ts'
import { toAws } from './to-aws.ts'
import { shapeOf } from './translation/shape.ts'
import { translations } from './translation/translation.ts'

/**
 * The `dialect` with which a platform runs functions that were written for AWS, such as those that `aws()` returns. Its
 * functions are pure, and never throw on JSON.
 */
export const awsDialect = {
  /** Translates an event of the contract into the form that AWS sends. */
  event: (event: unknown): unknown => toAws(event),
  /** Translates the result of a function for AWS into the contract's names, and completes an HTTP response. */
  result(answer: unknown, event: unknown): unknown {
    if (shapeOf(answer) !== undefined) return fromAws(answer)
    const asked = shapeOf(event)
    if (asked === 'trigger') return translations.fromAws.trigger(answer)
    return asked === 'http request' ? completeResponse(answer) : answer
  },
}
