import type { InvocationContext } from '@signalbox/core'
import { InvalidOptionError, notAnAnswer, refuseUnknownOptions } from '@signalbox/core/base'
import { refused, sesDecision } from './decision.ts'
import { mailEventOf, partsOf, sesRecordOf } from './mail-event.ts'
import type { SesRecord, SesResult } from './ses-record.ts'

/** A bounce that SES does not send by itself. */
export interface SesBounce {
  /** The id of the mail at SES, which the operation SendBounce takes as `OriginalMessageId`. */
  readonly messageId: string
  /** The sender of the mail, who gets the bounce. Never empty. */
  readonly sender: string
  /** The recipients for whom the mail bounces. */
  readonly recipients: readonly string[]
  /** The text for the sender. Undefined if the function gave none. */
  readonly message: string | undefined
}

/** Options of `sesMail`. */
export interface SesMailOptions {
  /**
   * Sends a bounce, for example with the operation SendBounce of SES. The mail ends after it. It is called once for each
   * text, one after the other. Without this option, a mail cannot bounce, and the invocation fails.
   */
  readonly sendBounce?: (bounce: SesBounce) => unknown
}

type Handler<Result> = (event: unknown, context?: InvocationContext) => Promise<Result>

/**
 * Lets a handler with the plugin `mailFlow` decide about mail that the receipt rules of Amazon SES receive. Other events
 * reach the handler unchanged, so that one function serves WorkMail, SES, and a platform of Signalbox.
 *
 * DEFAULT for all recipients lets the rule set continue, and DROP for all recipients stops it. BOUNCE for all recipients
 * needs the option `sendBounce`.
 *
 * @throws InvalidOptionError for an argument that is not a handler, and for an invalid option. The returned handler rejects
 * with UnsupportedDecisionError for a decision that a receipt rule cannot carry out: an action for the junk folder or
 * without a spam check, an added recipient, a mail that only some recipients get, or a decision that SES ignores because it
 * does not wait for it. See docs/decisions/mail.md#mail-of-ses.
 * @example
 * ```ts
 * import { aws, sesMail } from '@signalbox/aws'
 * import { signalbox } from '@signalbox/core'
 * import { mailFlow } from '@signalbox/mail-flow'
 *
 * const mailroom = signalbox(mailFlow((mail, actions) => actions.default()))
 * export const handler = aws(sesMail(mailroom))
 * ```
 */
export function sesMail<Result>(
  handler:
    | ((event: unknown, context?: InvocationContext) => Promise<Result>)
    | 'a plugin needs signalbox(): write sesMail(signalbox(…))',
  options: SesMailOptions = {},
): Handler<Result | SesResult> {
  if (typeof handler !== 'function')
    throw new InvalidOptionError(
      'sesMail() expects the handler that signalbox(…) returns: sesMail(signalbox(mailFlow(…)))',
    )
  refuseUnknownOptions('sesMail()', options, ['sendBounce'])
  const { sendBounce } = options
  if (sendBounce !== undefined && typeof sendBounce !== 'function')
    throw new InvalidOptionError(`sesMail(): sendBounce is ${typeof sendBounce}, expected a function`)
  return notAnAnswer('a handler', async function sesHandler(event: unknown, context?: InvocationContext) {
    const record = sesRecordOf(event)
    if (record === undefined) return handler(event, context)
    // A rule invokes the function for each mail. An answer to several would decide on mails that nobody has seen.
    const { length } = (event as { readonly Records: readonly unknown[] }).Records
    if (length > 1) throw refused(`the event has ${length} records`, 'one')
    const ids = Object(context) as { readonly awsRequestId?: string; readonly requestId?: string }
    const result = await handler(mailEventOf(record, ids.awsRequestId ?? ids.requestId), context)
    return answer(record, result, sendBounce)
  })
}

/** Returns the answer to SES for the response of a function, after the bounces are sent. */
async function answer(
  record: SesRecord,
  result: unknown,
  sendBounce: SesMailOptions['sendBounce'],
): Promise<SesResult> {
  const { mail, receipt } = partsOf(record)
  const isAnswered = receipt.action?.invocationType !== 'Event'
  // An asynchronous function decides nothing. From another one, nothing would be a forgotten answer.
  if ((result === undefined || result === null) && !isAnswered) return { disposition: 'CONTINUE' }
  if (result === undefined || result === null) throw refused('it is missing', 'the response of mailFlow()')
  const { actions } = result as { readonly actions?: Parameters<typeof sesDecision>[0] }
  if (!Array.isArray(actions)) throw refused('it has no actions', 'the response of mailFlow()')
  const { disposition, bounces } = sesDecision(actions, receipt.recipients!)
  if (disposition === 'STOP_RULE_SET' && !isAnswered)
    throw refused('SES ignores it', 'the invocation type RequestResponse in the rule')
  const { source: sender = '', messageId = '' } = mail
  // A report has no sender, and nobody to whom it could return.
  if (sender === '' || sender === '<>') return { disposition }
  if (bounces.length > 0 && sendBounce === undefined)
    throw refused('BOUNCE is not possible', 'the option sendBounce of sesMail()')
  for (const bounce of bounces) await sendBounce!({ ...bounce, messageId, sender })
  return { disposition }
}
