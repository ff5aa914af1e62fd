/**
 * The maximum nesting depth of JSON that a client of a service sends, with and without strings that contain JSON. No
 * operation has more than ten levels. `JSON.parse` has no limit, but to serialize or search such a value again needs
 * the stack for each level.
 */
export const deepestJson = 100

/** Returns whether parsed JSON is nested more deeply than `deepestJson`. */
export function isTooDeep(value: unknown, levels: number = deepestJson): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(each => isTooDeep(each, levels - 1))
}

/**
 * Reads a JSON object in UTF-8. Removes the fields whose value is null, because null means the same as an absent field
 * in AWS protocols.
 * @param depth the number of levels that are searched for null
 * @returns the object, or a sentence that says what is wrong
 */
export function jsonObject(bytes: Uint8Array, depth: number): object | string {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return 'The body is not JSON.'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'The body is not a JSON object.'
  if (isTooDeep(value)) return `The body is nested more than ${deepestJson} levels deep.`
  dropNulls(value, depth)
  return value
}

function dropNulls(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || depth === 0) return
  if (Array.isArray(value)) for (const each of value) dropNulls(each, depth - 1)
  else
    for (const [name, each] of Object.entries(value))
      if (each === null) delete (value as Record<string, unknown>)[name]
      else dropNulls(each, depth - 1)
}
