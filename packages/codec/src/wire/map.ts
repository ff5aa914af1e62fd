import type { Type } from 'io-ts'
import { isObject } from '../structure.ts'
import { string } from './values.ts'
import { wireCodec } from './wire-codec.ts'

/** An object whose own fields, whatever their names, are all of these. */
export function map<A>(
  value: Type<A, unknown, unknown>,
  name = `map of string to ${value.name}`,
): Type<{ readonly [name: string]: A }> {
  return wireCodec(
    name,
    { kind: 'record', parts: [value as never], domain: string, arrays: false, strips: false },
    u => isObject(u) && Object.keys(u).every(key => value.is(u[key])),
  )
}
