/**
 * Returns the kind of a value in words, without the value: `nothing`, `null`, `an object`, `a string`.
 * @param anObject the words for an object
 * @example
 * ```ts
 * import { kindOf } from '@signalbox/codec'
 *
 * kindOf('a password') // 'a string'
 * kindOf(undefined) // 'nothing'
 * ```
 */
export function kindOf(value: unknown, anObject = 'an object'): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? anObject : `a ${typeof value}`
}
