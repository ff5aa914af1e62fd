import type { Type } from 'io-ts'
import { compile } from '../guard/compile.ts'
import type { Codec } from '../io-ts/codec-structure.ts'
import { readyCodec } from './ready-codec.ts'
import { tableWriter } from './write-table.ts'

const prepared = new WeakMap<Codec, Codec>()

/**
 * Makes a codec ready at run time. A build writes the result of `printReady` in place of the module that calls this.
 * @throws UnwritableError for a codec that does more than check
 */
export function prepare<A, O>(codec: Type<A, O, unknown>): Type<A, O, unknown> {
  const table = tableWriter()
  const root = table.add(codec)
  const ready = readyCodec<A>(
    codec.name,
    compile(codec),
    { text: JSON.stringify(table.nodes), conditions: table.conditions },
    root,
  )
  prepared.set(ready, codec)
  return ready as never
}

/** The codec from which `prepare` made a codec. */
export function sourceOf(ready: Codec): Codec | undefined {
  return prepared.get(ready)
}
