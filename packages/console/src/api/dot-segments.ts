/**
 * Encodes a name as a path segment. A URL cannot contain the segments `.` and `..`, not even encoded, but users may
 * have these names. Therefore, the function puts a `~` before such names, and before names that would otherwise look
 * encoded.
 * @example
 * toSegment('..') // '~..'
 */
export function toSegment(name: string): string {
  return /^~*\.\.?$/.test(name) ? `~${name}` : name
}

/** Decodes a path segment that `toSegment` returned. */
export function fromSegment(segment: string): string {
  return /^~+\.\.?$/.test(segment) ? segment.slice(1) : segment
}
