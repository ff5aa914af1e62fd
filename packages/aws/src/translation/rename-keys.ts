type Json = Record<string, unknown>

/**
 * Returns a copy of an object with renamed keys in the same order. Returns the object itself when no key changes, or
 * when two keys would become equal, so that no value is lost.
 */
export function renameKeys(object: Json, rename: (key: string) => string): Json {
  const renamed: Json = {}
  let differs = false
  for (const key of Object.keys(object)) {
    const name = rename(key)
    if (Object.hasOwn(renamed, name)) return object
    if (name !== key) differs = true
    setOwn(renamed, name, object[key])
  }
  return differs ? renamed : object
}

function setOwn(object: Json, key: string, value: unknown): void {
  // An assignment to `__proto__` would set the prototype.
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
  else object[key] = value
}
