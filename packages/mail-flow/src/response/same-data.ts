/**
 * Returns whether two values have the same JSON. `isDeepStrictEqual` of `node:util` compares more than JSON, and
 * loading it takes longer than a whole handler.
 */
export function isSameData(value: unknown, data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return Object.is(value, data)
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false
  if (Object.getPrototypeOf(value) !== Object.getPrototypeOf(data)) return false
  const fields = value as Record<string, unknown>
  if (Array.isArray(data)) {
    if (!Array.isArray(value) || value.length !== data.length) return false
    for (let i = 0; i < data.length; i++) if (!isSameData(value[i], data[i])) return false
    return true
  }
  const entries = Object.entries(data)
  if (Object.keys(value).length !== entries.length) return false
  return entries.every(([key, field]) => Object.hasOwn(value, key) && isSameData(fields[key], field))
}
