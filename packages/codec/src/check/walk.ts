import type { Codec } from '../io-ts/codec-structure.ts'
import { type Check, check, type Task } from './check.ts'
import { mostChecks, newReport, type Report, refuse } from './report.ts'
import { inWords } from './words.ts'

/** The maximum depth of nested checks. Each level takes about a kilobyte. */
const deepest = 50_000

/**
 * Returns the same as `codec.is`, but works on the heap, so that values can nest deeper than the stack allows.
 * @throws RangeError for values that nest even deeper, and any error that reading the value throws
 */
export function accepts(codec: Codec, value: unknown): boolean {
  return run([codec, { value }])
}

/**
 * Finds the problems of a value. The value must be decodable if `decoding` is true, and must otherwise satisfy `is`.
 */
export function examine(codec: Codec, value: unknown, decoding: boolean): Report {
  const report = newReport(decoding)
  run([codec, { value }, report])
  return report
}

/** Runs a check without recursion. A check waits while the checks of its parts run. */
function run(first: Task): boolean {
  const waiting: { readonly task: Task; readonly check: Check }[] = []
  let next: Task | undefined = first
  let answer = true
  let checks = 0
  do {
    try {
      if (next) {
        if (waiting.length >= deepest) throw new RangeError('The value is nested too deeply to be checked')
        waiting.push({ task: next, check: check(...next) })
        next = undefined
      }
      const top = waiting.at(-1)!
      const step = top.check.next(answer)
      if (step.done) {
        waiting.pop()
        answer = step.value
      } else if (top.task[2] && ++checks > mostChecks) {
        answer = true
      } else {
        next = step.value
      }
    } catch (error) {
      next = undefined
      let failed = waiting.pop()
      while (failed && !failed.task[2]) failed = waiting.pop()
      if (!failed) throw error
      const [codec, place, report] = failed.task
      answer = refuse(report!, place, inWords(codec), 1, 'something that cannot be checked')
    }
  } while (waiting.length > 0)
  return answer
}
