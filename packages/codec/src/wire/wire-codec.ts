import type { Type } from 'io-ts'
import { codecOf } from '../io-ts/codec-of.ts'
import { declare } from '../structure/structure.ts'
import type { NodeOf } from '../structure/table.ts'

/** The functions of a wire codec, and the node that its guard checks. */
interface Definition<A, O> extends Pick<Type<A, O, unknown>, 'is' | 'validate' | 'encode'> {
  readonly name: string
  readonly nodeOf: NodeOf
}

/** Returns a codec that behaves like an io-ts codec but needs no code of io-ts. */
export function wireCodec<A, O = A>({ nodeOf, ...abilities }: Definition<A, O>): Type<A, O, unknown> {
  const codec = codecOf(abilities)
  declare(codec, nodeOf)
  return codec
}
