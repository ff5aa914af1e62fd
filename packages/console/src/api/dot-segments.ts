/**
 * A name as a segment of a path. URLs cannot have the segments `.` and `..`, not even encoded, but users may have these
 * names: they get a `~` in front, and so do names that look like one of these.
 * @example
 * toSegment('..') // '~..'
 */
export function toSegment(name: string): string {
  return /^~*\.\.?$/.test(name) ? `~${name}` : name
}

/** The name that `toSegment` wrote. */
export function fromSegment(segment: string): string {
  return /^~+\.\.?$/.test(segment) ? segment.slice(1) : segment
}
