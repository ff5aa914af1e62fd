import { firstRetryDelay, ruleTimeOutLimit, ruleTimeOutMinimum } from './limits.ts'

/** The times of retries, in milliseconds after the first failure. */
export interface RetrySchedule {
  readonly retries: readonly number[]
  /** The time at which the fallback action applies to all recipients, unless a retry has succeeded. */
  readonly fallbackAt: number
}

/**
 * Returns the retries of a failed synchronous invocation. The first retry comes after a minute, and the delay doubles
 * with each retry until the time-out of the rule. Then the fallback action applies. A time-out of 0 means no retries.
 * See docs/contract/mail-flow.md#limits.ruleTimeOut and docs/contract/mail-flow.md#limits.firstRetry.
 *
 * @param ruleTimeOut minutes, 0 to 240
 * @throws RangeError for any other time-out
 * @example
 * ```ts
 * import { retrySchedule } from '@signalbox/mail-flow/contract'
 *
 * retrySchedule(5) // { retries: [60000, 180000], fallbackAt: 300000 }
 * ```
 */
export function retrySchedule(ruleTimeOut: number): RetrySchedule {
  if (!(ruleTimeOut >= ruleTimeOutMinimum && ruleTimeOut <= ruleTimeOutLimit))
    throw new RangeError(
      `The rule's time-out is ${ruleTimeOut} minutes, expected ${ruleTimeOutMinimum} to ${ruleTimeOutLimit}`,
    )
  const fallbackAt = ruleTimeOut * 60_000
  const retries: number[] = []
  for (let delay = firstRetryDelay, at = delay; at <= fallbackAt; delay *= 2, at += delay) retries.push(at)
  return { retries, fallbackAt }
}
