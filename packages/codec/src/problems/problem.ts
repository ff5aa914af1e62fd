/** A problem of a value. */
export interface Problem {
  /** Where, as a JSON pointer (RFC 6901); empty for the value as a whole. */
  readonly pointer: string
  /** What the codec expects there, in words. */
  readonly expected: string
  /** What was there, in words. For a secret field and everything below it, only the type. */
  readonly actual: string
}

/** The maximum number of characters of a pointer in a line. */
const longest = 300

/** Problems as text for an error message, one line each: `/request/userAttributes: expected object, was null`. */
export function formatProblems(problems: readonly Problem[]): string {
  return problems.map(formatProblem).join('\n')
}

function formatProblem({ pointer, expected, actual }: Problem): string {
  const where = pointer.length > longest ? `${pointer.slice(0, longest)}…` : pointer || 'the value'
  return oneLine(`${where}: expected ${expected}, was ${actual}`)
}

/** Escapes line breaks and control characters, so that a value cannot forge lines of a log. */
function oneLine(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029]/gu,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Returns the JSON pointer (RFC 6901) to a place inside a value: `pointerTo('lines', 0, 'a/b')` is `/lines/0/a~1b`. */
export function pointerTo(...keys: readonly (string | number)[]): string {
  return keys.map(key => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
