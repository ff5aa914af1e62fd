import { addressKey, type MailVerdict, mailVerdict } from '@signalbox/mail-flow/contract'
import { randomUuid, type SourceContext } from '@signalbox/platform-runtime'
import type { Cause } from '@signalbox/platform-runtime/traces'
import type { MailSettings } from '../config/mail-settings.ts'
import { mailHead } from '../message/mail-head.ts'
import type { ChangedContent, MailStore, PendingInvocation } from '../store/mail-store.ts'
import { mailSummary } from './accepted-mail.ts'
import { addedAddresses, addedRecipient } from './added-recipients.ts'
import { dispositionOf, failureOf } from './disposition.ts'
import type { InvokeRule } from './invoke-rule.ts'
import { mailCause } from './mail-cause.ts'
import { mailEvent } from './mail-event.ts'
import { nextAttempt } from './next-attempt.ts'
import type { Reports } from './reports.ts'
import { sentence } from './sentence.ts'

/**
 * Milliseconds until an asynchronous function that could not be called is called again. Each further wait is twice as long,
 * up to the longest.
 */
const firstPause = 1000
const longestPause = 5 * 60_000
/** Milliseconds after which it is called no more. Events of the Invoke API end at the same age. */
const longestWait = 6 * 60 * 60_000

/**
 * Makes the due attempt of an invocation, or applies the fallback. Stores the result for all recipients at once,
 * with the report to the sender. An attempt does not count if the process ends during the attempt.
 */
export function invocations(
  store: MailStore,
  settings: Pick<MailSettings, 'domains' | 'relay'>,
  { invoke, reports }: { readonly invoke: InvokeRule; readonly reports: Reports },
  { clock, random, traces, notice }: Pick<SourceContext, 'clock' | 'random' | 'traces' | 'notice'>,
): (invocation: PendingInvocation) => Promise<void> {
  const conclude = async (
    invocation: PendingInvocation,
    verdict: MailVerdict,
    { why, raw }: { readonly why?: string; readonly raw?: Buffer | undefined },
  ) => {
    const { recipients } = invocation
    const summary = raw && mailSummary(invocation.of, mailHead(raw))
    const mail = { ...invocation.of, ...summary }
    const verdicts = new Map(verdict.recipients.map(each => [addressKey(each.address), each]))
    const decided = recipients.map(({ id, address }) => {
      const each = verdicts.get(addressKey(address))!
      const disposition = dispositionOf(each, why ?? each.why, mail, settings)
      return { recipient: id, ...failureOf({ ...each, address }, verdict.kind === 'failed'), ...disposition }
    })
    const result = await reports(mail, () => store.raw(mail.id), decided)
    const added = addedAddresses(verdict, invocation.rule.direction, settings).map(each =>
      addedRecipient(each, mail, settings),
    )
    const changed: ChangedContent | undefined =
      raw && summary && delivers(verdict) ? { ...summary, raw, splitId: randomUuid(random) } : undefined
    await store.concludeInvocation(invocation, { ...result, added, changed }, clock.now())
  }

  /** Returns the span that accepted a mail, or the one of its wait while spans are sent. */
  const causeOf = ({ of, attempts, rule }: PendingInvocation): Cause => {
    const cause = mailCause(of)
    if (traces === undefined) return cause
    const attributes = { 'signalbox.mail.id': of.id, 'signalbox.attempt': attempts + 1 }
    const name = `wait mail ${rule.direction.toLowerCase()}`
    return {
      parent: traces.record({
        ...{ ...cause, name, kind: 'internal', attributes },
        startedAt: clock.wall(of.receivedAt),
      }),
    }
  }

  return async invocation => {
    const { rule, next, attempts } = invocation
    if (next === 'fallback') {
      const verdict = mailVerdict(undefined, mailEvent(invocation).whole, { fallback: rule.fallback })
      return conclude(invocation, verdict, { why: fallbackReason(invocation) })
    }
    const { verdict, raw } = await invoke({ ...invocation, cause: causeOf(invocation) })
    const now = clock.now()
    const endWithoutEffect = () =>
      store.concludeInvocation(invocation, { dispositions: [], added: [], report: undefined }, now)
    if (verdict.kind === 'ignored') return endWithoutEffect()
    if (verdict.kind === 'decided') return conclude(invocation, verdict, { raw })
    const firstFailedAt = invocation.firstFailedAt ?? now
    const why = sentence(verdict.why)
    if (rule.mode === 'async' && now - firstFailedAt >= longestWait) {
      notice(
        `mail: ${rule.functionName} could not be called for mail ${invocation.of.id} within 6 hours: ${why}`,
      )
      return endWithoutEffect()
    }
    // An asynchronous function that could not be called has no fallback.
    const then =
      rule.mode === 'async'
        ? { next: 'attempt' as const, at: now + Math.min(longestPause, firstPause * 2 ** attempts) }
        : nextAttempt(rule.timeout, firstFailedAt, now)
    const how = {
      attempts: attempts + 1,
      firstFailedAt,
      why,
      next: then.next,
      nextAt: then.at,
    }
    await store.postponeInvocation(invocation, how, now)
  }
}

/** Returns whether a recipient gets the mail, or might get it. */
export function delivers(verdict: MailVerdict): boolean {
  const { recipients } = verdict
  if (recipients.some(({ action: { type } }) => type !== 'BOUNCE' && type !== 'DROP')) return true
  return verdict.kind === 'decided' && verdict.unlisted.some(({ reason }) => reason === 'added')
}

/** Says why the fallback applies. */
export function fallbackReason({
  attempts,
  why,
  rule,
}: Pick<PendingInvocation, 'attempts' | 'why' | 'rule'>): string {
  const times = attempts === 1 ? 'once' : `${attempts} times`
  return `${rule.functionName} failed ${times} (${why}): the fallback, ${rule.fallback}, applies`
}
