/** A copy of what JSON can carry. In jest, objects that `structuredClone` makes are of another realm, and not plain. */
export function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value))
}
