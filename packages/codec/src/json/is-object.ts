/**
 * Returns whether a value is an object, but not null or an array.
 * @example
 * ```ts
 * import { isObject } from '@signalbox/codec'
 *
 * isObject({ id: 'a' }) // true
 * isObject(['a']) // false
 * ```
 */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
