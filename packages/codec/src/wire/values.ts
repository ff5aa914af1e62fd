import type { Type } from 'io-ts'
import { wireCodec } from './wire-codec.ts'

/** Anything at all. */
export const anything: Type<unknown> = wireCodec('anything', { kind: 'any', parts: [] }, () => true)

export const string: Type<string> = ofType('string')
export const number: Type<number> = ofType('number')
export const boolean: Type<boolean> = ofType('boolean')

function ofType<A>(type: string): Type<A> {
  return wireCodec(type, { kind: 'typeof', parts: [], type }, u => typeof u === type)
}

/** One of these texts and no other. */
export function oneOf<V extends string>(...values: readonly V[]): Type<V> {
  const name = values.map(value => JSON.stringify(value)).join(' or ')
  return wireCodec(name, { kind: 'oneOf', parts: [], values }, u => values.includes(u as V))
}
