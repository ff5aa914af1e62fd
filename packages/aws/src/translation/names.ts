/** The direction of a translation. */
export type Direction = 'fromAws' | 'toAws'

/** Translates one kind of name between its AWS form and its neutral form. */
export interface Names {
  /** Translates an AWS name. Two different names never become the same name. */
  readonly fromAws: (name: string) => string
  /** The inverse of `fromAws`. */
  readonly toAws: (name: string) => string
  /** All names that are translated. Undefined if their number is not finite. */
  readonly all?: readonly string[]
}

/**
 * Returns the translation of names that are given as pairs of `[AWS, neutral]`. The two forms are swapped, so that a
 * neutral name that AWS itself sends is restored on the way back. Use it for names that AWS does not read in results.
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
 * Returns the translation of a single name that a handler may return in either form. The AWS form stays unchanged in
 * results, so an event that already contains the neutral form needs an escape prefix.
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

/** Like `exactly`, but for all names with a prefix, such as `cognito:groups` and `pool:groups`. */
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

/** This prefix escapes a neutral name that AWS itself sends. It is removed on the way back. */
const escapePrefix = 'aws:'

/** Returns whether the part of the name before `end` consists only of escape prefixes. */
function isRepeatedEscape(name: string, end: number): boolean {
  for (let start = 0; start < end; start += escapePrefix.length)
    if (!name.startsWith(escapePrefix, start)) return false
  return end % escapePrefix.length === 0
}
