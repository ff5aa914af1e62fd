/** The command line is wrong. The message says what was expected. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Refuses operands that a command does not take.
 * @throws UsageError for more than `most` operands
 */
export function refuseOperands(command: string, operands: readonly string[], most = 0): void {
  if (operands.length <= most) return
  throw new UsageError(`${command} takes no argument ${JSON.stringify(operands[most])}.`)
}
