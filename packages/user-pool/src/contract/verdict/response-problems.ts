import type { Problem } from '@signalbox/codec'
import { tableProblems } from '@signalbox/codec/ready'
import { readyNodes, tableOf } from '../ready-nodes.ts'
import type { Trigger } from '../trigger-event.ts'
import { type ReadyRow, readyRow } from '../triggers/ready-source.ts'

/**
 * Returns the problems with a trigger's answer to an event. The rules of the trigger are checked only if all fields
 * of the answer are valid. Pointers are relative to the event, so they begin with `/response`. The list is empty
 * for a valid answer.
 */
export function responseProblems(trigger: Trigger, response: unknown, event: unknown): readonly Problem[] {
  return answerProblems(readyRow(trigger)!, response, event)
}

/** Does the same as `responseProblems`, for callers that already know the row of the trigger. */
export function answerProblems(row: ReadyRow, response: unknown, event: unknown): readonly Problem[] {
  const { isAnswer, rules } = row
  if (!isAnswer(response)) {
    const refused = tableProblems(tableOf(readyNodes()[row.response]!), response)!
    return refused.map(problem => ({ ...problem, pointer: `/response${problem.pointer}` }))
  }
  let wrong: Problem[] | undefined
  for (let i = 0; i < rules.length; i++) wrong = rules[i]!(response as never, event as never, wrong)
  return wrong ?? none
}

const none: readonly Problem[] = []
