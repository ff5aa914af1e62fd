/** Which side's names become the other's. */
export type Direction = 'fromAws' | 'toAws'

/** How one kind of name is written on either side. */
export interface Names {
  /** One to one: no two of AWS's names have the same neutral name. */
  readonly fromAws: (name: string) => string
  /** Undoes `fromAws`. */
  readonly toAws: (name: string) => string
  /** Every name that the two sides write differently, if they can be counted. */
  readonly all?: readonly string[]
}

/**
 * Single names that are written differently, as `[AWS, neutral]`. The two change places, so that a neutral name
 * which AWS happens to send is found again on the way back. For names that AWS does not read in an answer.
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
 * A single name of which a handler may answer either form: AWS's own passes to AWS as it is. So the neutral form
 * cannot change places with it, and is marked when AWS is who sends it.
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

/** The same for all names that begin alike, such as `cognito:groups` for `pool:groups`. */
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

/** What a name gets in front that is neutral already when AWS sends it; it comes off on the way back. */
const escapePrefix = 'aws:'

/** Whether the name has nothing but marks before `end`. */
function isRepeatedEscape(name: string, end: number): boolean {
  for (let start = 0; start < end; start += escapePrefix.length)
    if (!name.startsWith(escapePrefix, start)) return false
  return end % escapePrefix.length === 0
}
