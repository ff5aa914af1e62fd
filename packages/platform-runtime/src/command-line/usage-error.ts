/** The command line makes no sense. The message says what was expected. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
