import type { Codec } from '../io-ts/codec-structure.ts'
import type { Problem } from '../problems/problem.ts'
import { readyOf } from './ready-codec.ts'
import { tableProblems } from './table-problems.ts'

/**
 * Returns the problems of a value that a codec refuses, or null when it accepts the value. The problems are those that
 * `problems` returns. This function works only for precompiled codecs, and needs no code that understands io-ts. Never
 * throws.
 */
export function refusalsOfReady(codec: Codec, value: unknown): Problem[] | null {
  try {
    if (codec.is(value)) return null
  } catch {
    // The guard could not read the value.
  }
  return tableProblems(readyOf(codec)!, value, true)
}
