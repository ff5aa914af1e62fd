import { addressKey, type MailVerdict, mailVerdict, responseTimeLimit } from '@signalbox/mail-flow/contract'
import type { SourceContext } from '@signalbox/platform-runtime'
import type { MailSettings } from '../config/mail-settings.ts'
import type { MailStore, PendingInvocation } from '../store/mail-store.ts'
import { type DecidedFate, fateOf } from './fate.ts'
import { mailConclusion } from './mail-conclusion.ts'
import { mailEvent } from './mail-event.ts'
import { nextAttempt } from './next-attempt.ts'
import { reportMail } from './report-mail.ts'
import { sentence } from './sentence.ts'

/** The status of a mail that somebody refused, and of one that nobody decided on. RFC 3463. */
const refused = '5.7.1'
const undecidable = '5.3.0'

/**
 * Makes the attempt or applies the fallback that is due for an invocation, and stores what comes of it: for all
 * recipients at once, together with the report to the sender. An attempt during which the box ends counts as not made.
 */
export function invocations(
  store: MailStore,
  settings: Pick<MailSettings, 'name' | 'mailboxes' | 'relay' | 'functions'>,
  { dispatch, clock, random }: Pick<SourceContext, 'dispatch' | 'clock' | 'random'>,
): (id: string) => Promise<void> {
  const ask = async (invocation: PendingInvocation): Promise<MailVerdict> => {
    const { id, attempts, rule } = invocation
    const { functionName, fallback, mode } = rule
    const { sent, whole } = mailEvent(invocation)
    const read = (payload: string | undefined) => mailVerdict(payload, whole, { fallback, mode })
    if (!settings.functions.has(functionName)) {
      const verdict = read(undefined)
      return verdict.kind === 'failed'
        ? { ...verdict, why: 'the configuration does not have it any more' }
        : verdict
    }
    const began = clock.now()
    const { verdict } = await dispatch({
      functionName,
      event: sent,
      family: 'mail-flow',
      source: `mail ${rule.direction.toLowerCase()}`,
      attempt: attempts + 1,
      requestId: id,
      ...(mode === 'sync' && { limit: responseTimeLimit }),
      verdict(payload, failure) {
        // Its own time-out may be shorter, and then it is that which is told of.
        const isLate = failure?.kind === 'timeout' && clock.now() - began >= responseTimeLimit
        return read(isLate ? undefined : payload)
      },
      describe: mailConclusion,
    })
    return verdict
  }

  const conclude = async (invocation: PendingInvocation, verdict: MailVerdict, why?: string) => {
    const { of: mail, recipients, rule } = invocation
    // It was deleted meanwhile, and its sender gets no report.
    if (!store.has(mail.id)) return
    const verdicts = new Map(verdict.recipients.map(each => [addressKey(each.address), each]))
    const fates = recipients.map(({ id, address }): DecidedFate & { recipient: number; address: string } => {
      const each = verdicts.get(addressKey(address))!
      return {
        recipient: id,
        address,
        ...fateOf(each, why ?? each.why, mail, rule.direction, settings),
      }
    })
    const bounced = fates
      .filter(({ state }) => state === 'bounced')
      .map(({ address, bounceMessage }) => ({
        address,
        status: verdict.kind === 'failed' ? undecidable : refused,
        text: bounceMessage,
      }))
    const now = clock.now()
    const report = await reportMail(mail, () => store.raw(mail.id)!, bounced, settings, { now, random })
    await store.conclude(invocation, { fates, report }, now)
  }

  return async id => {
    const invocation = store.invocation(id)
    const { rule, next } = invocation
    if (next === 'fallback') {
      const verdict = mailVerdict(undefined, mailEvent(invocation).whole, { fallback: rule.fallback })
      return conclude(invocation, verdict, lastWords(invocation))
    }
    const verdict = await ask(invocation)
    const made = { ...invocation, attempts: invocation.attempts + 1 }
    if (verdict.kind === 'ignored') return store.conclude(made, { fates: [], report: undefined }, clock.now())
    if (verdict.kind === 'decided') return conclude(made, verdict)
    const now = clock.now()
    const firstFailedAt = invocation.firstFailedAt ?? now
    const then = nextAttempt(rule.timeout, firstFailedAt, now)
    const why = sentence(verdict.why)
    await store.postpone({ ...made, firstFailedAt, why, next: then.next, nextAt: then.at }, now)
  }
}

function lastWords({ attempts, why, rule }: Pick<PendingInvocation, 'attempts' | 'why' | 'rule'>): string {
  const times = attempts === 1 ? 'once' : `${attempts} times`
  return `${rule.functionName} failed ${times} (${why}): the fallback, ${rule.fallback}, applies`
}
