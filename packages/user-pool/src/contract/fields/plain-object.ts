/**
 * Returns whether a value is an object as JSON.parse makes them, or one without a prototype. JSON does not contain
 * the fields of other objects: a Map becomes {}, a Date becomes a string, and `toJSON` may return anything.
 */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  // Reading a property makes V8 check the object's shape, which includes the prototype. Without this, the next line costs
  // a call.
  void value.constructor
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
