/** The direction of a translation. */
export type Direction = 'fromAws' | 'toAws'

/** How each side writes one kind of name. */
export interface Names {
  /** One to one: no two names of AWS have the same neutral name. */
  readonly fromAws: (name: string) => string
  /** The inverse of `fromAws`. */
  readonly toAws: (name: string) => string
  /** All names that the two sides write differently, if their number is finite. */
  readonly all?: readonly string[]
}

/**
 * Single names that differ, as `[AWS, neutral]`. The two forms are swapped, so that a neutral name that AWS sends is
 * restored on the way back. For names that AWS does not read in a result.
 */
export function swapped(...pairs: readonly (readonly [aws: string, neutral: string])[]): Names {
  const other = new Map<string, string>()
  for (const [aws, neutral] of pairs) {
    other.set(aws, neutral)
    other.set(neutral, aws)
  }
  const swap = (name: string) => other.get(name) ?? name
  return { fromAws: swap, toAws: swap, all: [...other.keys()] }
}

/**
 * A single name that a handler may return in either form: the form of AWS is kept. So the neutral form cannot be
 * swapped with it, and is escaped when AWS sends it.
 */
export function exactly(aws: string, neutral: string): Names {
  const isEscaped = (name: string) =>
    name.length > neutral.length &&
    name.endsWith(neutral) &&
    isRepeatedEscape(name, name.length - neutral.length)
  return {
    fromAws: name =>
      name === aws ? neutral : name === neutral || isEscaped(name) ? escapePrefix + name : name,
    toAws: name => (name === neutral ? aws : isEscaped(name) ? name.slice(escapePrefix.length) : name),
  }
}

/** The same for all names with a prefix, such as `cognito:groups` for `pool:groups`. */
export function prefixed(aws: string, neutral: string): Names {
  const isEscaped = (name: string) => {
    if (!name.startsWith(escapePrefix)) return false
    let start = escapePrefix.length
    while (name.startsWith(escapePrefix, start)) start += escapePrefix.length
    return name.startsWith(neutral, start)
  }
  return {
    fromAws: name =>
      name.startsWith(aws)
        ? neutral + name.slice(aws.length)
        : name.startsWith(neutral) || isEscaped(name)
          ? escapePrefix + name
          : name,
    toAws: name =>
      name.startsWith(neutral)
        ? aws + name.slice(neutral.length)
        : isEscaped(name)
          ? name.slice(escapePrefix.length)
          : name,
  }
}

/** Escapes a neutral name that AWS sends. It is removed on the way back. */
const escapePrefix = 'aws:'

/** Returns whether everything before `end` is repeated escape prefixes. */
function isRepeatedEscape(name: string, end: number): boolean {
  for (let start = 0; start < end; start += escapePrefix.length)
    if (!name.startsWith(escapePrefix, start)) return false
  return end % escapePrefix.length === 0
}
