import { isObject, kindOf, type Problem } from '@signalbox/codec'
import { sourceOrNew } from '../triggers/ready-source.ts'
import { changedIdentity } from './identity.ts'
import { answerProblems } from './response-problems.ts'

/**
 * Returns the problems with the value that a function returned for an event of a known trigger source. The value must
 * be the same event, with `response` filled as its trigger allows (docs/contract/user-pool.md#verdict). The return
 * value of senders is always valid, because the platform does not read it. Both the function and the platform use this
 * check.
 * @example
 * ```ts
 * import { returnedProblems } from '@signalbox/user-pool/contract'
 * import { preSignUpEvent } from '@signalbox/user-pool/testing'
 *
 * const event = preSignUpEvent()
 * returnedProblems({ ...event, response: { autoConfirmUser: true } }, event) // []
 * returnedProblems(undefined, event)[0]?.expected // 'the event with its response'
 * ```
 */
export function returnedProblems(returned: unknown, event: unknown): readonly Problem[] {
  const sent = event as Readonly<Record<string, unknown>>
  const known = sourceOrNew(sent.triggerSource)
  if (known === undefined || known.row.answer === 'not read') return none
  if (!isObject(returned)) {
    return [{ pointer: '', expected: 'the event with its response', actual: kindOf(returned) }]
  }
  const changed = returned === sent ? undefined : changedIdentity(returned, sent)
  if (changed !== undefined) return [changed]
  return known.row.answer === 'read' ? answerProblems(known.row, returned.response, event) : none
}

const none: readonly Problem[] = []
