import type { Type } from 'io-ts'
import { wireCodec } from './wire-codec.ts'

/** What a codec accepts, where it also satisfies a condition. The name says so in words. */
export function where<A>(
  codec: Type<A, unknown, unknown>,
  condition: (value: A) => boolean,
  name: string,
): Type<A> {
  const predicate = condition as (value: unknown) => boolean
  return wireCodec(
    name,
    { kind: 'refinement', parts: [codec as never], predicate },
    u => codec.is(u) && predicate(u),
    { type: codec },
  )
}
