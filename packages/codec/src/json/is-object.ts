/** Returns whether a value is an object and not an array, as JSON tells the two apart. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
