import type { Type } from 'io-ts'
import { failure, success } from '../io-ts/codec-of.ts'
import type { Node } from '../structure/table.ts'
import { valuesInWords } from '../structure/words.ts'
import { wireCodec } from './wire-codec.ts'

/** A codec for any value. */
export const anything: Type<unknown> = value('anything', ['any'], () => true)

/** A codec for any string. */
export const string: Type<string> = ofType('string')
/** A codec for any number. */
export const number: Type<number> = ofType('number')
/** A codec for any boolean. */
export const boolean: Type<boolean> = ofType('boolean')

function ofType<A>(type: string): Type<A> {
  return value(type, type, u => typeof u === type)
}

/**
 * Returns a codec that accepts only the given strings.
 * @example
 * ```ts
 * import { oneOf } from '@signalbox/codec/wire'
 *
 * oneOf('paid', 'open').is('paid') // true
 * oneOf('paid', 'open').is('lost') // false
 * ```
 */
export function oneOf<V extends string>(...values: readonly V[]): Type<V> {
  const name = values.map(value => JSON.stringify(value)).join(' or ')
  return value(name, ['one of', valuesInWords(values), ...values], u => values.includes(u as V))
}

function value<A>(name: string, node: Node, is: (u: unknown) => boolean): Type<A> {
  return wireCodec<A>({
    name,
    nodeOf: () => node,
    is: is as never,
    validate: (u, context) => (is(u) ? success(u as A) : failure({ value: u, context })),
    encode: a => a,
  })
}
