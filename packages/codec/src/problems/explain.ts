import type { Codec } from '../io-ts/codec-structure.ts'
import { understanding } from '../understanding/understand.ts'
import { listProblems } from './list-problems.ts'
import type { Problem } from './problem.ts'

/**
 * Lists the problems of a value that a codec refused.
 * @param decoding true when the value had to be decoded, and false when it had to satisfy `is`
 */
export function explain(codec: Codec, value: unknown, decoding: boolean): Problem[] {
  return listProblems(
    () => understanding.examine(codec, value, decoding),
    () => understanding.inWords(codec),
  )
}
