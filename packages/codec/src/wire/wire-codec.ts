import type { Type } from 'io-ts'
import { codecOf } from '../io-ts/codec-of.ts'
import type { Structure } from '../io-ts/codec-structure.ts'
import { declare } from '../io-ts/declared.ts'

/** The functions of a wire codec, and the structure that its guard checks. */
interface Definition<A, O> extends Pick<Type<A, O, unknown>, 'is' | 'validate' | 'encode'> {
  readonly name: string
  readonly structure: Structure
}

/** Returns a codec that behaves like an io-ts codec but needs no code of io-ts. */
export function wireCodec<A, O = A>({ structure, ...abilities }: Definition<A, O>): Type<A, O, unknown> {
  const codec = codecOf(abilities)
  declare(codec, structure)
  return codec
}
