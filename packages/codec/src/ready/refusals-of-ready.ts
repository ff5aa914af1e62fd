import { newReport } from '../check/report.ts'
import type { Codec } from '../io-ts/codec-structure.ts'
import { listProblems } from '../problems/list-problems.ts'
import type { Problem } from '../problems/problem.ts'
import { examineReady, readyInWords } from './examine-ready.ts'
import { readyOf } from './ready-codec.ts'

/**
 * The problems of a value that a codec refuses; null when it accepts the value. Does the same as `problems`, for codecs
 * that are ready only, and needs none of the code that understands io-ts. Never throws.
 */
export function refusalsOfReady(codec: Codec, value: unknown): Problem[] | null {
  try {
    if (codec.is(value)) return null
  } catch {
    // The guard could not read the value.
  }
  const ready = readyOf(codec)!
  const find = () => {
    const report = newReport(false)
    examineReady(ready, { value }, report)
    return report
  }
  return listProblems(find, () => readyInWords(ready))
}
