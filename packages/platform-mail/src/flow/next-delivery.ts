const minute = 60_000

/** Milliseconds between delivery attempts. The last interval repeats. */
const pauses = [1, 5, 15, 30, 60, 120].map(minutes => minutes * minute)

/** The time after which the platform gives up deliveries to mailboxes, in milliseconds. */
export const mailboxRetryTime = 5 * 24 * 60 * minute

/**
 * Returns the time of the next attempt after a failed delivery, in milliseconds since the epoch. The intervals
 * grow, and the last attempt is at the end of the retry time. Returns undefined after that.
 *
 * @param attempts the number of attempts so far, including the attempt that just failed
 */
export function nextDelivery(
  attempts: number,
  since: number,
  retryTime: number,
  now: number,
): number | undefined {
  const end = since + retryTime
  if (now >= end) return undefined
  return Math.min(end, now + pauses[Math.min(attempts, pauses.length) - 1]!)
}
