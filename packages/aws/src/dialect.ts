import { completeRecords } from './complete-records.ts'
import { completeResponse } from './complete-response.ts'
import { fromAws } from './from-aws.ts'
import { mailEventOf, sesRecordOf } from './ses/mail-event.ts'
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
   * Returns the event that `sesMail()` makes of an event of an SES receipt rule, without an id of the invocation. Returns undefined
   * for other events, and for one with several mails, which `sesMail()` refuses.
   */
  wrapped(event: unknown): { readonly event: unknown; readonly by: string } | undefined {
    const record = sesRecordOf(event)
    if (record === undefined || (event as { readonly Records: readonly unknown[] }).Records.length > 1)
      return undefined
    return { event: mailEventOf(record, undefined), by: 'sesMail() of @signalbox/aws' }
  },
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
