import type { Translate } from './table.ts'

type Json = Record<string, unknown>

/**
 * Translates an object that has exactly the learned keys in the learned order. Returns undefined for any other
 * object.
 */
export type Layout = (object: Json) => Json | undefined

/** The maximum number of layouts that are learned for one place. */
const layoutsLearned = 8
/** The maximum number of keys in a learned layout. */
const keysLearned = 64

/**
 * Learns the layout of an object, and adds it to the layouts of its place. The objects of a place mostly have the same
 * keys in the same order, and an object literal compiled for that layout is many times faster than a loop over the
 * keys. Keys that a client chooses cannot fill the memory, because few layouts are learned and none is replaced.
 * @param below the translations of the values of some keys
 * @throws EvalError where code generation is not allowed
 */
export function learnLayout(
  object: Json,
  rename: (key: string) => string,
  below: Readonly<Record<string, Translate>>,
  layouts: Layout[],
): void {
  if (layouts.length >= layoutsLearned) return
  const keys = Object.keys(object)
  if (keys.length > keysLearned) return
  const renamed = keys.map(rename)
  const stays = renamed.every((key, i) => key === keys[i]) || new Set(renamed).size < keys.length
  if (!stays) layouts.push(compile(keys, literal(keys, renamed, below), below))
  // If nested values may change, it is not known in advance whether the object changes.
  else if (Object.keys(below).length === 0) layouts.push(compile(keys, 'object', below))
}

function literal(
  keys: readonly string[],
  renamed: readonly string[],
  below: Readonly<Record<string, Translate>>,
): string {
  const fields = keys.map((key, i) => {
    const value = `object[${JSON.stringify(key)}]`
    const translated = Object.hasOwn(below, key) ? `below[${JSON.stringify(key)}](${value})` : value
    const name = JSON.stringify(renamed[i])
    // In an object literal, a plain key "__proto__" would set the prototype, so it is computed. Other keys are plain,
    // because a computed key takes twenty times as long.
    return renamed[i] === '__proto__' ? `[${name}]: ${translated}` : `${name}: ${translated}`
  })
  return `{ ${fields.join(', ')} }`
}

function compile(
  keys: readonly string[],
  result: string,
  below: Readonly<Record<string, Translate>>,
): Layout {
  const code = `'use strict'
    return object => {
      let position = 0
      for (const key in object) if (key !== keys[position++]) return undefined
      return position === keys.length ? ${result} : undefined
    }`
  return new Function('keys', 'below', code)(keys, below)
}
