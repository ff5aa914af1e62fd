/** The maximum number of characters of a string in an error message. */
const longest = 60

/** Returns a short description of a value for an error message. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > longest ? `${value.slice(0, longest)}…` : value)
  if (value === null || value === undefined || typeof value === 'number') return String(value)
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
