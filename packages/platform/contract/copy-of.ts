/** Returns a copy of a JSON value. In jest, `structuredClone` makes objects of another realm, which are not plain. */
export function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value))
}
