import type { Type } from 'io-ts'
import { type Codec, isObject, type Presence } from '../structure.ts'
import type { Described, Fields } from './field.ts'
import { wireCodec } from './wire-codec.ts'

/** An object with these fields; others are kept. */
export function object<const F extends Fields, A extends Described<F>>(name: string, fields: F): Type<A>
/** The same for whoever knows better what the fields hold than they say: `object<Line>('line', fields)`. */
export function object<A>(name: string, fields: Fields): Type<A>
export function object<A>(name: string, fields: Fields): Type<A> {
  const names: string[] = []
  const parts: Codec[] = []
  const presence: Presence[] = []
  for (const [key, field] of Object.entries(fields)) {
    if (field === undefined) continue
    names.push(key)
    parts.push(field.codec)
    presence.push(field.required ? 'required' : field.nullable ? 'nullable' : 'optional')
  }
  const is = (u: unknown) => {
    if (!isObject(u)) return false
    for (const [i, name] of names.entries()) {
      const value = u[name]
      if (value === undefined ? presence[i] !== 'required' : value === null && presence[i] === 'nullable') {
        continue
      }
      if ((value === undefined && !Object.hasOwn(u, name)) || !parts[i]!.is(value)) return false
    }
    return true
  }
  const props = Object.fromEntries(names.map((name, i) => [name, parts[i]]))
  return wireCodec(name, { kind: 'object', parts, names, presence, strips: false }, is, { props })
}
