import type { Type } from 'io-ts'
import { codecOf } from '../io-ts/codec-of.ts'
import { declare, type Structure } from '../io-ts/structure.ts'

/** What a codec of the wire does, and what its guard checks. */
interface Definition<A, O> extends Pick<Type<A, O, unknown>, 'is' | 'validate' | 'encode'> {
  readonly name: string
  readonly structure: Structure
}

/** A codec that behaves as those of io-ts do, and needs nothing of the library when it runs. */
export function wireCodec<A, O = A>({ structure, ...abilities }: Definition<A, O>): Type<A, O, unknown> {
  const codec = codecOf(abilities)
  declare(codec, structure)
  return codec
}
