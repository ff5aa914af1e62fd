const minute = 60_000

/** Milliseconds between two attempts to deliver; the last comes again and again. */
const pauses = [1, 5, 15, 30, 60, 120].map(minutes => minutes * minute)

/** For how long the box tries to write into its own mailboxes. */
export const mailboxPatience = 5 * 24 * 60 * minute

/**
 * When a delivery that failed is tried again: after pauses that grow, the last time when patience ends. Undefined when
 * that is over.
 *
 * @param attempts that were made, including the one that failed just now
 */
export function nextDelivery(
  attempts: number,
  since: number,
  patience: number,
  now: number,
): number | undefined {
  const end = since + patience
  if (now >= end) return undefined
  return Math.min(end, now + pauses[Math.min(attempts, pauses.length) - 1]!)
}
