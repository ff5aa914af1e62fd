/** The command line makes no sense. The message says what was expected. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** @throws UsageError when something was given to a command that takes nothing */
export function refuseOperands(command: string, operands: readonly string[], most = 0): void {
  if (operands.length <= most) return
  throw new UsageError(`${command} does not know what to do with ${JSON.stringify(operands[most])}.`)
}
