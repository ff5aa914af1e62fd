type Json = Record<string, unknown>

/**
 * Renames the keys of an object, in their order, and shares its values. Returns the same object when no key changes,
 * and also when two keys would become one, so that no value is lost.
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
  // Assigning would set the prototype.
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
  else object[key] = value
}
