/**
 * Writes a name as a segment of a path. A URL cannot contain the segments `.` and `..`, not even encoded, but
 * users may have these names. The function puts a `~` before them, and before names that would otherwise look
 * like the result.
 * @example
 * toSegment('..') // '~..'
 */
export function toSegment(name: string): string {
  return /^~*\.\.?$/.test(name) ? `~${name}` : name
}

/** Returns the name that `toSegment` wrote as this segment. */
export function fromSegment(segment: string): string {
  return /^~+\.\.?$/.test(segment) ? segment.slice(1) : segment
}
