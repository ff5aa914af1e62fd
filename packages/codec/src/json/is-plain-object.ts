/**
 * Returns whether a value is an object like those that JSON.parse makes, or an object without a prototype. The JSON of
 * other objects may lack their fields: a Map becomes {}, a Date becomes a string, and `toJSON` may return anything.
 */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Returns whether an object has no enumerable fields, also inherited ones, besides these. */
export function hasOnly(value: object, names: ReadonlySet<string>): boolean {
  for (const name in value) if (!names.has(name)) return false
  return true
}

/** Returns whether a value is an array whose JSON has its items: it has neither holes nor `toJSON`. */
export function isDense(value: unknown): boolean {
  return Array.isArray(value) && !('toJSON' in value) && !value.includes(undefined)
}
