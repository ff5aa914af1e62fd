/** One thing that is wrong with a value. */
export interface Problem {
  /** Where, as a JSON pointer (RFC 6901); empty for the value as a whole. */
  readonly pointer: string
  /** What the codec wants there, in words. */
  readonly expected: string
  /** What was there; of a secret field, and of all below it, only the type. */
  readonly actual: string
}

/** Problems as text for an error message, one line each, such as `/request/userAttributes: expected object, was null`. */
export function formatProblems(problems: readonly Problem[]): string {
  return problems
    .map(({ pointer, expected, actual }) => `${pointer || 'the value'}: expected ${expected}, was ${actual}`)
    .join('\n')
}
