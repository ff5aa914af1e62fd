import { completeRecords } from './complete-records.ts'
import { completeResponse } from './complete-response.ts'
import { fromAws } from './from-aws.ts'
import { toAws } from './to-aws.ts'
import { shapeOf } from './translation/shape.ts'
import { httpHeaders } from './translation/table.ts'
import { translations } from './translation/translation.ts'

/**
 * The `dialect` with which a platform runs functions that were written for AWS, such as those that `aws()` returns.
 * Its functions are pure, and never throw for JSON values.
 */
export const awsDialect = {
  /** Translates the name of a request header, such as `x-amzn-trace-id`, into the name of the contract. */
  header: httpHeaders.fromAws,
  /** Translates an event of the contract into the form that AWS sends. */
  event: (event: unknown): unknown => completeRecords(toAws(event)),
  /**
   * Translates the names in an AWS function's result into those of the contract, and adds missing fields to HTTP
   * responses.
   */
  result(answer: unknown, event: unknown): unknown {
    if (shapeOf(answer) !== undefined) return fromAws(answer)
    const asked = shapeOf(event)
    if (asked === 'trigger') return translations.fromAws.trigger(answer)
    return asked === 'http request' ? completeResponse(answer) : answer
  },
}
