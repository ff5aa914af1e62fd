import type { Type } from 'io-ts'
import { isObject } from '../json/is-object.ts'
import { container } from './container.ts'

/**
 * Returns a codec for objects with any field names, in which every value matches a codec.
 * @example
 * ```ts
 * import { map, number } from '@signalbox/codec/wire'
 *
 * map(number).is({ apples: 3, pears: 2 }) // true
 * map(number).is({ apples: 'three' }) // false
 * ```
 */
export function map<A, O = A>(
  value: Type<A, O, unknown>,
  name = `map of string to ${value.name}`,
): Type<{ readonly [name: string]: A }, { readonly [name: string]: O }, unknown> {
  return container(
    name,
    ({ add }) => ['record', add(value as never)],
    isObject,
    u => isObject(u) && Object.keys(u).every(key => value.is(u[key])),
    fields => Object.keys(fields).map(key => ({ key, codec: value as never })),
  )
}
