import { retrySchedule } from '@signalbox/mail-flow/contract'

/**
 * Returns the next step after a failed attempt of an invocation, and the time of this step. The next step is the next
 * future retry, or the fallback after the last retry. Retries that were missed while the platform was stopped are
 * skipped. A timeout of 0 means no retries (contract: docs/contract/mail-flow.md#limits.ruleTimeOut).
 *
 * @param timeout the timeout of the rule, in minutes
 */
export function nextAttempt(
  timeout: number,
  firstFailedAt: number,
  now: number,
): { readonly next: 'attempt' | 'fallback'; readonly at: number } {
  const { retries, fallbackAt } = retrySchedule(timeout)
  const retry = retries.find(delay => firstFailedAt + delay > now)
  return retry === undefined
    ? { next: 'fallback', at: firstFailedAt + fallbackAt }
    : { next: 'attempt', at: firstFailedAt + retry }
}
