import { type Renamed, renameKeys } from './rename-keys.ts'

/** Renames the keys of an object that has exactly the keys that were learned, in their order; else undefined. */
export type Layout = (object: Renamed) => Renamed | undefined

/** How many layouts are learned for one place, and how many keys one has at most. */
const layoutsLearned = 8
const keysLearned = 64

/**
 * `renameKeys` for an object of none of the layouts, which adds the object's own to them. The objects of one place
 * mostly have the same keys in the same order, and an object literal, compiled for such a layout, is many times as
 * fast as going through the keys. Strangers' keys cannot fill the memory: few layouts are learned, and none is
 * forgotten.
 *
 * @throws EvalError where code generation is not allowed
 */
export function renameAndLearn(object: Renamed, rename: (key: string) => string, layouts: Layout[]): Renamed {
  if (layouts.length < layoutsLearned) {
    const keys = Object.keys(object)
    if (keys.length <= keysLearned) layouts.push(layoutOf(keys, rename))
  }
  return renameKeys(object, rename)
}

function layoutOf(keys: readonly string[], rename: (key: string) => string): Layout {
  const renamed = keys.map(rename)
  const stays = renamed.every((key, i) => key === keys[i]) || new Set(renamed).size < keys.length
  // Computed keys, because a plain "__proto__" in a literal is no key.
  const fields = keys.map((key, i) => `[${JSON.stringify(renamed[i])}]: object[${JSON.stringify(key)}]`)
  const code = `'use strict'
    return object => {
      let position = 0
      for (const key in object) if (key !== keys[position++]) return undefined
      if (position !== keys.length) return undefined
      return ${stays ? 'object' : `{ ${fields.join(', ')} }`}
    }`
  return new Function('keys', code)(keys)
}
