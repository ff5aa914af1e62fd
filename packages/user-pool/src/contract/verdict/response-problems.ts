import { isObject, type Problem } from '@signalbox/codec'
import { tableProblems } from '@signalbox/codec/ready'
import { responseGuards } from '../ready.ts'
import { readyNodes, tableOf } from '../ready-nodes.ts'
import type { Trigger } from '../trigger-event.ts'
import { readyRow } from '../triggers/ready-source.ts'
import { type ResponseRule, responseRules } from './response-rules.ts'

interface Checks {
  readonly guard: (u: unknown) => boolean
  readonly rules: readonly ResponseRule[]
}

const checks = new Map<Trigger, Checks>()

// The checks of a trigger are made when its first answer arrives, because a function serves few triggers.
function checksOf(trigger: Trigger): Checks {
  const made = { guard: responseGuards[trigger] ?? isObject, rules: responseRules[trigger] ?? [] }
  checks.set(trigger, made)
  return made
}

/**
 * Returns the problems with a trigger's answer to an event. The rules of the trigger are checked only if all fields
 * of the answer are valid. Pointers are relative to the event, so they begin with `/response`. The list is empty
 * for a valid answer.
 */
export function responseProblems(trigger: Trigger, response: unknown, event: unknown): readonly Problem[] {
  const { guard, rules } = checks.get(trigger) ?? checksOf(trigger)
  if (!guard(response)) {
    const refused = tableProblems(tableOf(readyNodes()[readyRow(trigger)!.response]!), response)!
    return refused.map(problem => ({ ...problem, pointer: `/response${problem.pointer}` }))
  }
  let wrong: Problem[] | undefined
  for (let i = 0; i < rules.length; i++) wrong = rules[i]!(response as never, event as never, wrong)
  return wrong ?? none
}

const none: readonly Problem[] = []
