type Json = Record<string, unknown>

/**
 * The object with its keys renamed, in their order, its values shared; the very object when there is nothing to
 * rename, and also when two keys would become one, so that no value is ever lost.
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
  // Assigning would set the prototype instead.
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
  else object[key] = value
}
