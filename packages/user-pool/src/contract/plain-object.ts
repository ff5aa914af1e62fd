/**
 * Whether a value is an object as JSON.parse makes them, or without a prototype. Of any other, JSON says something
 * else than its fields do: nothing of a Map's entries, a text for a Date, whatever its own `toJSON` likes.
 */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  // Reading any property tells V8 the shape of the object, and from the shape it knows the prototype; without this
  // the next line is a call.
  void value.constructor
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
