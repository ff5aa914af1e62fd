import { firstRetryDelay, ruleTimeOutLimit, ruleTimeOutMinimum } from './limits.ts'

/** When a failed invocation is tried again, in milliseconds after its first failure. */
export interface RetrySchedule {
  readonly retries: readonly number[]
  /** When the fallback action applies to every recipient, unless a retry succeeded. */
  readonly fallbackAt: number
}

/**
 * The retries of a failed synchronous invocation: the first after a minute, every further one after twice the
 * time, for as long as the rule's time-out lasts; then the fallback action. A time-out of 0 means no retries
 * (contract, Limits, "Mail flow, synchronous"; the delays are an extension).
 *
 * @param ruleTimeOut minutes, 0 to 240
 * @throws RangeError for any other time-out
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
