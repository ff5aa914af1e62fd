import type { Type } from 'io-ts'
import { isObject } from '../json/is-object.ts'
import { container } from './container.ts'
import { string } from './values.ts'

/** Returns a codec for objects with any field names, in which every value matches a codec. */
export function map<A, O = A>(
  value: Type<A, O, unknown>,
  name = `map of string to ${value.name}`,
): Type<{ readonly [name: string]: A }, { readonly [name: string]: O }, unknown> {
  return container(
    name,
    { kind: 'record', parts: [value as never], domain: string, arrays: false, strips: false },
    u => isObject(u) && Object.keys(u).every(key => value.is(u[key])),
    fields => Object.keys(fields).map(key => ({ key, codec: value as never })),
  )
}
