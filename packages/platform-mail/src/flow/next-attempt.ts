import { retrySchedule } from '@signalbox/mail-flow/contract'

/**
 * How an invocation goes on after an attempt that failed: with the next retry that is still to come or, when there is
 * none, with the fallback. Retries whose time went by, while the box did not run, are not made up for. Contract,
 * limits: "a rule time-out of 0 (the minimum) means no retries before the fallback action applies".
 *
 * @param timeout the rule's, in minutes
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
