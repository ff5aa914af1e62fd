import type { Type } from 'io-ts'
import { failure } from '../io-ts/codec-of.ts'
import { whereNode } from '../structure/table.ts'
import { wireCodec } from './wire-codec.ts'

/**
 * Returns a codec for the values that another codec accepts and that satisfy a condition. The name describes the
 * condition.
 * @example
 * ```ts
 * import { string, where } from '@signalbox/codec/wire'
 *
 * const NotEmpty = where(string, text => text.length > 0, 'text that is not empty')
 * NotEmpty.is('') // false
 * ```
 */
export function where<A, O = A>(
  codec: Type<A, O, unknown>,
  condition: (value: A) => boolean,
  name: string,
): Type<A, O, unknown> {
  const refined: Type<A, O, unknown> = wireCodec<A, O>({
    name,
    nodeOf: writer => whereNode(writer, refined as never, codec as never, condition as never),
    is: (u): u is A => codec.is(u) && condition(u),
    validate(value, context) {
      const decoded = codec.validate(value, context)
      return decoded._tag === 'Left' || condition(decoded.right) ? decoded : failure({ value, context })
    },
    encode: codec.encode,
  })
  return Object.assign(refined, { type: codec })
}
