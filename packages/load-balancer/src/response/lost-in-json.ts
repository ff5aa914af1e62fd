/**
 * Returns what a value is, such as `a Map`, and a hint, if it is a stream, or JSON shows it as `{}` although it is no
 * plain object. Returns undefined for a value that JSON can hold. Values inside it are not looked at.
 */
function lostInJson(value: object): string | undefined {
  // JSON would show the state of a stream of Node, such as the path of its file.
  if (Symbol.asyncIterator in value) return 'a stream: read it first'
  const kind = Object.prototype.toString.call(value).slice(8, -1)
  if (held.has(kind) || Object.keys(value).length > 0) return undefined
  const hint = hints[kind]
  return `${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind}, which JSON shows as {}${hint ? `: write ${hint}` : ''}`
}

/** Returns the first value in a value that `lostInJson` describes, with the name of its field, which is empty on top. */
export function firstLost(value: unknown, name = ''): { name: string; lost: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return undefined
  const lost = lostInJson(value)
  if (lost !== undefined) return { name, lost }
  for (const key of Object.keys(value)) {
    const found = firstLost((value as Record<string, unknown>)[key], key)
    if (found !== undefined) return found
  }
  return undefined
}

/** The kinds of objects whose content JSON can hold. A class without a tag of its own is an Object. */
const held = new Set(['Object', 'Array', 'String', 'Number', 'Boolean'])

const hints: { readonly [kind: string]: string } = {
  Map: 'Object.fromEntries(map)',
  Set: '[...set]',
  Error: '{ message: error.message }',
  Promise: 'await before it',
}
