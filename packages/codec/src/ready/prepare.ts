import type { Type } from 'io-ts'
import { compile } from '../guard/compile.ts'
import { isExact } from '../guard/is-exact.ts'
import type { Codec } from '../io-ts/codec-structure.ts'
import { readyCodec } from './ready-codec.ts'
import { tableWriter } from './write-table.ts'

const prepared = new WeakMap<object, Codec>()
const preparedExact = new WeakMap<object, Codec>()

/**
 * Makes a precompiled codec at run time. A build replaces each module that calls this function with the code that
 * `printReady` returns.
 * @throws UnwritableError for a codec that does more than check
 */
export function prepare<A, O>(codec: Type<A, O, unknown>): Type<A, O, unknown> {
  const writer = tableWriter()
  const root = writer.add(codec)
  const table = { text: JSON.stringify(writer.nodes), conditions: writer.conditions }
  const ready = readyCodec<A>(codec.name, compile(codec), table, root)
  prepared.set(ready, codec)
  return ready as never
}

/** Returns only the guard of a codec, for callers that find the problems in another way. */
export function prepareGuard<A>(codec: Type<A, unknown, unknown>): (value: unknown) => value is A {
  const guard = compile(codec)
  const ready = (value: unknown): value is A => guard(value)
  prepared.set(ready, codec)
  return ready
}

/**
 * Returns a guard for values that a codec accepts and whose JSON contains exactly what the codec describes (see
 * `isExact`). A value that the guard refuses may still be valid. The guard serves callers that do more only then.
 */
export function prepareExactGuard<A>(codec: Type<A, unknown, unknown>): (value: unknown) => value is A {
  const guard = compile(codec)
  const exact = (value: unknown): value is A => guard(value) && isExact(codec, value)
  preparedExact.set(exact, codec)
  return exact
}

/** Returns the codec from which `prepareExactGuard` made this guard. */
export function exactSourceOf(guard: object): Codec | undefined {
  return preparedExact.get(guard)
}

/** Returns the codec from which `prepare` or `prepareGuard` made this value. */
export function sourceOf(ready: object): Codec | undefined {
  return prepared.get(ready)
}
