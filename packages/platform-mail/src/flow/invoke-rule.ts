import { type MailVerdict, mailVerdict, responseTimeLimit } from '@signalbox/mail-flow/contract'
import type { SourceContext } from '@signalbox/platform-runtime'
import type { Cause } from '@signalbox/platform-runtime/traces'
import type { MailSettings } from '../config/mail-settings.ts'
import { addedAddresses } from './added-recipients.ts'
import { describeMailVerdict } from './describe-mail-verdict.ts'
import type { MailChanges } from './mail-changes.ts'
import { type InvokedMail, mailEvent } from './mail-event.ts'

/** What a function decided on a mail. */
interface RuleResult {
  readonly verdict: MailVerdict
  /** The content that the function put in the place of the mail's, which counts if it decided. Undefined if it put none. */
  readonly raw: Buffer | undefined
}

/** A mail to invoke a function with. */
interface MailToInvoke extends InvokedMail {
  readonly attempts: number
  /** The reason why no function can change the mail, as a sentence. */
  readonly frozen?: string | undefined
  /** Returns the reason why a content cannot take the place of the mail's, as a sentence. */
  readonly contentProblem?: ((content: Buffer) => string | undefined) | undefined
  /** The span that caused the invocation. Default: the span of which the caller is a part. */
  readonly cause?: Cause
}

/** Calls the function of a rule with a mail, and returns the verdict on its response. Never rejects. */
export type InvokeRule = (
  mail: MailToInvoke,
  directionOf?: (address: string) => 'INBOUND' | 'OUTBOUND',
) => Promise<RuleResult>

const asynchronous = 'An asynchronous rule cannot change a mail.'

/** Returns a function that calls the functions of rules. */
export function invokeRule(
  settings: Pick<MailSettings, 'domains' | 'functions'>,
  changes: MailChanges,
  { dispatch, machineClock }: Pick<SourceContext, 'dispatch' | 'machineClock'>,
): InvokeRule {
  return async (mail, directionOf) => {
    const { id, attempts, rule } = mail
    const { functionName, fallback, mode } = rule
    const { sent, whole } = mailEvent(mail)
    const verdictOf = (payload: string | undefined) => mailVerdict(payload, whole, { fallback, mode })
    if (!settings.functions.has(functionName)) {
      const verdict = verdictOf(undefined)
      const why = 'the configuration no longer has it'
      return { verdict: verdict.kind === 'failed' ? { ...verdict, why } : verdict, raw: undefined }
    }
    const call = async () => {
      const startedAt = machineClock.now()
      return dispatch({
        functionName,
        ...(mail.cause !== undefined && { cause: mail.cause }),
        event: sent,
        family: 'mail-flow',
        source: `mail ${rule.direction.toLowerCase()}`,
        attempt: attempts + 1,
        requestId: id,
        timeLimit: mode === 'sync' ? responseTimeLimit : undefined,
        // A further attempt finds the execution of the first one.
        execution: { name: id, onFailure: rule.onFailure },
        verdict(payload, failure) {
          // The answer of an asynchronous function has no effect, but a function that was not called has not seen the mail.
          if (mode === 'async' && failure?.kind === 'unavailable')
            return mailVerdict(payload, whole, { fallback })
          // The function's timeout can be shorter than the contract's limit. The payload then names the shorter timeout.
          const isLate = failure?.kind === 'timeout' && machineClock.now() - startedAt >= responseTimeLimit
          return verdictOf(isLate ? undefined : payload)
        },
        describe: verdict =>
          describeMailVerdict(verdict, addedAddresses(verdict, rule.direction, settings, directionOf)),
      })
    }
    const frozen = mode === 'async' ? asynchronous : mail.frozen
    const { result, raw } = await changes.during(
      mail.of.id,
      { functionName, frozen, contentProblem: mail.contentProblem },
      call,
    )
    return { verdict: result.verdict, raw }
  }
}
