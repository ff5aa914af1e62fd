import { type MailVerdict, mailVerdict, responseTimeLimit } from '@signalbox/mail-flow/contract'
import type { SourceContext } from '@signalbox/platform-runtime'
import type { MailSettings } from '../config/mail-settings.ts'
import { addedAddresses } from './added-recipients.ts'
import { describeMailVerdict } from './describe-mail-verdict.ts'
import { type InvokedMail, mailEvent } from './mail-event.ts'

/** Calls the function of a rule with a mail, and returns the verdict on its response. Never rejects. */
export type InvokeRule = (
  mail: InvokedMail & { readonly attempts: number },
  directionOf?: (address: string) => 'INBOUND' | 'OUTBOUND',
) => Promise<MailVerdict>

/** Returns a function that calls the functions of rules. */
export function invokeRule(
  settings: Pick<MailSettings, 'domains' | 'functions'>,
  { dispatch, machineClock }: Pick<SourceContext, 'dispatch' | 'machineClock'>,
): InvokeRule {
  return async (mail, directionOf) => {
    const { id, attempts, rule } = mail
    const { functionName, fallback, mode } = rule
    const { sent, whole } = mailEvent(mail)
    const verdictOf = (payload: string | undefined) => mailVerdict(payload, whole, { fallback, mode })
    if (!settings.functions.has(functionName)) {
      const verdict = verdictOf(undefined)
      return verdict.kind === 'failed' ? { ...verdict, why: 'the configuration no longer has it' } : verdict
    }
    const startedAt = machineClock.now()
    const { verdict } = await dispatch({
      functionName,
      event: sent,
      family: 'mail-flow',
      source: `mail ${rule.direction.toLowerCase()}`,
      attempt: attempts + 1,
      requestId: id,
      timeLimit: mode === 'sync' ? responseTimeLimit : undefined,
      verdict(payload, failure) {
        // The function's timeout can be shorter than the contract's limit. The payload then names the shorter timeout.
        const isLate = failure?.kind === 'timeout' && machineClock.now() - startedAt >= responseTimeLimit
        return verdictOf(isLate ? undefined : payload)
      },
      describe: verdict =>
        describeMailVerdict(verdict, addedAddresses(verdict, rule.direction, settings, directionOf)),
    })
    return verdict
  }
}
