import { addressKey, type MailVerdict, mailVerdict, responseTimeLimit } from '@signalbox/mail-flow/contract'
import type { SourceContext } from '@signalbox/platform-runtime'
import type { MailSettings } from '../config/mail-settings.ts'
import type { MailStore, PendingInvocation } from '../store/mail-store.ts'
import { addedRecipients } from './added-recipients.ts'
import { describeMailVerdict } from './describe-mail-verdict.ts'
import { type DecidedDisposition, dispositionOf } from './disposition.ts'
import { mailEvent } from './mail-event.ts'
import { nextAttempt } from './next-attempt.ts'
import { reportMail } from './report-mail.ts'
import { sentence } from './sentence.ts'

/** The status code of a mail that a function bounced (RFC 3463). */
const refused = '5.7.1'
/** The status code of a mail that bounced without a decision of its function (RFC 3463). */
const undecidable = '5.3.0'

/**
 * Makes the due attempt of an invocation, or applies the fallback. Stores the result for all recipients at once,
 * with the report to the sender. An attempt does not count if the process ends during the attempt.
 */
export function invocations(
  store: MailStore,
  settings: Pick<MailSettings, 'name' | 'domains' | 'relay' | 'functions'>,
  {
    dispatch,
    clock,
    machineClock,
    random,
  }: Pick<SourceContext, 'dispatch' | 'clock' | 'machineClock' | 'random'>,
): (invocation: PendingInvocation) => Promise<void> {
  const invoke = async (invocation: PendingInvocation): Promise<MailVerdict> => {
    const { id, attempts, rule } = invocation
    const { functionName, fallback, mode } = rule
    const { sent, whole } = mailEvent(invocation)
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
      describe: verdict => describeMailVerdict(verdict, addedRecipients(verdict, invocation, settings)),
    })
    return verdict
  }

  const conclude = async (invocation: PendingInvocation, verdict: MailVerdict, why?: string) => {
    const { of: mail, recipients } = invocation
    const verdicts = new Map(verdict.recipients.map(each => [addressKey(each.address), each]))
    const decided = recipients.map(
      ({ id, address }): DecidedDisposition & { recipient: number; address: string } => {
        const each = verdicts.get(addressKey(address))!
        const disposition = dispositionOf(each, why ?? each.why, mail, settings)
        return { recipient: id, address, ...disposition }
      },
    )
    const bounced = decided
      .filter(({ state }) => state === 'bounced')
      .map(({ address, bounceMessage }) => ({
        address,
        status: verdict.kind === 'failed' ? undecidable : refused,
        text: bounceMessage,
      }))
    const now = clock.now()
    const raw = () => store.raw(mail.id)
    const report = await reportMail(mail, raw, bounced, settings, { now, clock, random })
    const added = addedRecipients(verdict, invocation, settings)
    await store.concludeInvocation(invocation, { dispositions: decided, added, report }, now)
  }

  return async invocation => {
    const { rule, next, attempts } = invocation
    if (next === 'fallback') {
      const verdict = mailVerdict(undefined, mailEvent(invocation).whole, { fallback: rule.fallback })
      return conclude(invocation, verdict, fallbackReason(invocation))
    }
    const verdict = await invoke(invocation)
    const now = clock.now()
    if (verdict.kind === 'ignored')
      return store.concludeInvocation(invocation, { dispositions: [], added: [], report: undefined }, now)
    if (verdict.kind === 'decided') return conclude(invocation, verdict)
    const firstFailedAt = invocation.firstFailedAt ?? now
    const then = nextAttempt(rule.timeout, firstFailedAt, now)
    const how = {
      attempts: attempts + 1,
      firstFailedAt,
      why: sentence(verdict.why),
      next: then.next,
      nextAt: then.at,
    }
    await store.postponeInvocation(invocation, how, now)
  }
}

function fallbackReason({
  attempts,
  why,
  rule,
}: Pick<PendingInvocation, 'attempts' | 'why' | 'rule'>): string {
  const times = attempts === 1 ? 'once' : `${attempts} times`
  return `${rule.functionName} failed ${times} (${why}): the fallback, ${rule.fallback}, applies`
}
