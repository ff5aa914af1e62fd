type Json = Record<string, unknown>
type Rename = (key: string) => string

/** The object with its keys renamed if its keys are the ones that were learned, otherwise undefined. */
type Layout = (object: Json) => Json | undefined

/** How many layouts of keys a renamer learns, and the longest that it learns. */
const layoutsLearned = 8
const keysLearned = 64

/**
 * A function that answers an object with its keys renamed, in their order, its values shared; the very object
 * when there is nothing to rename, and also when two keys would become one, so that nothing is ever lost.
 *
 * Objects of one place mostly have the same keys in the same order. The first few such layouts are learned: an
 * object literal is compiled for each, many times as fast as going through the keys. Where code generation is
 * not allowed, and for every other layout, the keys are gone through.
 */
export function renameKeys(rename: Rename): (object: Json) => Json {
  const layouts: Layout[] = []
  return object => {
    for (let i = 0; i < layouts.length; i++) {
      const renamed = layouts[i]!(object)
      if (renamed !== undefined) return renamed
    }
    if (layouts.length < layoutsLearned) learn(object, rename, layouts)
    return renameEach(object, rename)
  }
}

export function renameAndLearn(object: Json, rename: Rename, layouts: Layout[]): Json {
  if (layouts.length < layoutsLearned) learn(object, rename, layouts)
  return renameEach(object, rename)
}

function learn(object: Json, rename: Rename, layouts: Layout[]): void {
  const keys = Object.keys(object)
  if (keys.length > keysLearned) return
  const renamed = keys.map(rename)
  const isSame =
    renamed.every((key, position) => key === keys[position]) || new Set(renamed).size < renamed.length
  const quote = (key: string) => JSON.stringify(key)
  // Computed keys, because a plain "__proto__" in a literal is no key.
  const fields = keys.map((key, position) => `[${quote(renamed[position]!)}]: object[${quote(key)}]`)
  const code = `
    let position = 0
    for (const key in object) if (key !== keys[position++]) return undefined
    if (position !== ${keys.length}) return undefined
    return ${isSame ? 'object' : `{ ${fields.join(', ')} }`}`
  try {
    layouts.push(new Function('keys', `'use strict'\nreturn object => {${code}\n}`)(keys))
  } catch {
    // Code generation is not allowed here: the keys are gone through each time.
  }
}

function renameEach(object: Json, rename: Rename): Json {
  const renamed: Json = {}
  let differs = false
  for (const key of Object.keys(object)) {
    const name = rename(key)
    if (Object.hasOwn(renamed, name)) return object
    if (name !== key) differs = true
    if (name === '__proto__') defineOwn(renamed, name, object[key])
    else renamed[name] = object[key]
  }
  return differs ? renamed : object
}

function defineOwn(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
}
