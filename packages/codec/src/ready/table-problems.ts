import { newReport } from '../check/report.ts'
import { listProblems } from '../problems/list-problems.ts'
import type { Problem } from '../problems/problem.ts'
import { examineReady, readyInWords } from './examine-ready.ts'
import type { Ready } from './ready-codec.ts'

/**
 * Returns the problems of a value that the table of a codec refuses, or null when the table accepts the value. Never
 * throws.
 */
export function tableProblems(ready: Ready, value: unknown, isRefused = false): Problem[] | null {
  let isAccepted = false
  const problems = listProblems(
    () => {
      const report = newReport(false)
      isAccepted = examineReady(ready, { value }, report)
      return report
    },
    () => readyInWords(ready),
  )
  return isAccepted && !isRefused ? null : problems
}
