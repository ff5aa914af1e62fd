import type { Problem } from '@signalbox/codec'
import { tableProblems } from '@signalbox/codec/ready'
import { readyNodes, tableOf } from '../ready-nodes.ts'
import type { Trigger } from '../trigger-event.ts'
import { type ReadyRow, readyRow } from '../triggers/ready-source.ts'

/**
 * Returns the problems with a trigger's answer to an event. The rules of the trigger are checked only if all fields
 * of the answer are valid. Pointers are relative to the event, so they begin with `/response`. The list is empty
 * for a valid answer.
 * @example
 * ```ts
 * import { responseProblems } from '@signalbox/user-pool/contract'
 * import { preSignUpEvent } from '@signalbox/user-pool/testing'
 *
 * responseProblems('PreSignUp', { autoConfirmUser: true }, preSignUpEvent()) // []
 * responseProblems('PreSignUp', { autoConfirmUser: 'yes' }, preSignUpEvent())[0]?.pointer // '/response/autoConfirmUser'
 * ```
 */
export function responseProblems(trigger: Trigger, response: unknown, event: unknown): readonly Problem[] {
  return answerProblems(readyRow(trigger)!, response, event)
}

/** Does the same as `responseProblems`, for callers that already know the row of the trigger. */
export function answerProblems(row: ReadyRow, response: unknown, event: unknown): readonly Problem[] {
  const isExact = row.isExact(response)
  if (!isExact) {
    const refused = tableProblems(tableOf(readyNodes()[row.response]!), response)
    if (refused) return refused.map(problem => ({ ...problem, pointer: `/response${problem.pointer}` }))
  }
  return row.rule?.(response as never, event as never, isExact) ?? none
}

const none: readonly Problem[] = []
