/**
 * Returns a copy of a JSON value. In jest, objects from `structuredClone` have a foreign prototype, so they
 * do not count as plain objects.
 */
export function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value))
}
