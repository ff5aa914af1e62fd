import type { Type } from 'io-ts'
import { failure, success } from '../io-ts/codec-of.ts'
import type { Structure } from '../io-ts/codec-structure.ts'
import { wireCodec } from './wire-codec.ts'

/** A codec for any value. */
export const anything: Type<unknown> = value('anything', { kind: 'any', parts: [] }, () => true)

export const string: Type<string> = ofType('string')
export const number: Type<number> = ofType('number')
export const boolean: Type<boolean> = ofType('boolean')

function ofType<A>(type: string): Type<A> {
  return value(type, { kind: 'typeof', parts: [], type }, u => typeof u === type)
}

/** Returns a codec that accepts only the given strings. */
export function oneOf<V extends string>(...values: readonly V[]): Type<V> {
  const name = values.map(value => JSON.stringify(value)).join(' or ')
  return value(name, { kind: 'oneOf', parts: [], values }, u => values.includes(u as V))
}

function value<A>(name: string, structure: Structure, is: (u: unknown) => boolean): Type<A> {
  return wireCodec<A>({
    name,
    structure,
    is: is as never,
    validate: (u, context) => (is(u) ? success(u as A) : failure({ value: u, context })),
    encode: a => a,
  })
}
