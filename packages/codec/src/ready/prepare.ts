import type { Type } from 'io-ts'
import { compile } from '../guard/compile.ts'
import { generate } from '../guard/generate.ts'
import type { Codec } from '../io-ts/codec-of.ts'
import { structureOf } from '../structure/structure.ts'
import { readyCodec } from './ready-codec.ts'
import { writeTable } from './write-table.ts'

const sources = new WeakMap<object, Codec>()
const exactSources = new WeakMap<object, Codec>()

/**
 * Makes at run time what a build writes: it replaces each module that calls this function with the code that
 * `printReady` returns.
 * @throws UnwritableError for a codec that does more than check
 */
export function prepare<A, O>(codec: Type<A, O, unknown>): Type<A, O, unknown> {
  const { table, roots } = writeTable([codec])
  const text = { text: JSON.stringify(table.nodes), conditions: table.conditions }
  const ready = readyCodec<A>(codec.name, compile(codec), text, roots[0]!)
  sources.set(ready, codec)
  return ready as never
}

/** Returns only the guard of a codec, for callers that find the problems in another way. */
export function prepareGuard<A>(codec: Type<A, unknown, unknown>): (value: unknown) => value is A {
  const guard = compile(codec)
  const ready = (value: unknown): value is A => guard(value)
  sources.set(ready, codec)
  return ready
}

/**
 * Returns a guard for values that a codec accepts and whose JSON contains exactly what the codec describes (see
 * `Generator`). A value that the guard refuses may still be valid. The guard serves callers that do more only then.
 */
export function prepareExactGuard<A>(codec: Type<A, unknown, unknown>): (value: unknown) => value is A {
  // Where the runtime forbids generating code from strings, these callers always do more.
  const guard = generate(structureOf(codec), true) ?? (() => false)
  const exact = (value: unknown): value is A => !!guard(value)
  exactSources.set(exact, codec)
  return exact
}

/** Returns the codec from which `prepareExactGuard` made this guard. */
export function exactSourceOf(guard: object): Codec | undefined {
  return exactSources.get(guard)
}

/** Returns the codec from which `prepare` or `prepareGuard` made this value. */
export function sourceOf(ready: object): Codec | undefined {
  return sources.get(ready)
}
