/** The results of a soak. */
export interface Findings {
  readonly handled: number
  /** How many times a message was handled that had been handled before. */
  readonly again: number
  /** The violations, with one sentence for each. */
  readonly violations: readonly string[]
}

/**
 * Compares what functions have handled with what was acknowledged. A message may be handled again, because its function or
 * the platform may end before the message is deleted.
 * @param written the messages that functions have handled, a line each
 * @param dead the messages of the dead-letter queue
 */
export function verify(
  written: string,
  acknowledged: ReadonlySet<string>,
  dead: ReadonlySet<string>,
): Findings {
  const lines = written.split('\n').filter(line => line !== '')
  const handled = new Set(lines)
  const violations: string[] = []
  for (const message of acknowledged) {
    const never = message.startsWith('never ')
    if (never && handled.has(message)) violations.push(`${message} was handled, although it always fails`)
    if (never && !dead.has(message)) violations.push(`${message} is not in the dead-letter queue`)
    if (!never && !handled.has(message) && !dead.has(message)) violations.push(`${message} is lost`)
  }
  return { handled: handled.size, again: lines.length - handled.size, violations }
}
