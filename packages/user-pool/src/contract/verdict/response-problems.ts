import { compile, type Problem, problems } from '@signalbox/codec'
import type { Mixed } from 'io-ts'
import type { Trigger } from '../trigger-event.ts'
import { responseCodec } from './response-codec.ts'
import { type ResponseRule, responseRules } from './response-rules.ts'

interface Checks {
  readonly codec: Mixed
  readonly guard: (u: unknown) => boolean
  readonly rules: readonly ResponseRule[]
}

const checks = new Map<Trigger, Checks>()

// Made at the first answer of a trigger, as its codec is.
function checksOf(trigger: Trigger): Checks {
  const codec: Mixed = responseCodec(trigger)
  const made = { codec, guard: compile(codec), rules: responseRules[trigger] ?? [] }
  checks.set(trigger, made)
  return made
}

/**
 * The problems of a trigger's answer to an event: its fields first, then the rules that depend on the event. Pointers
 * start at the event, so they begin with `/response`. The list is empty for a valid answer.
 */
export function responseProblems(trigger: Trigger, response: unknown, event: unknown): readonly Problem[] {
  const { codec, guard, rules } = checks.get(trigger) ?? checksOf(trigger)
  if (!guard(response)) {
    return problems(codec, response).map(problem => ({ ...problem, pointer: `/response${problem.pointer}` }))
  }
  let wrong: Problem[] | undefined
  for (let i = 0; i < rules.length; i++) wrong = rules[i]!(response as never, event as never, wrong)
  return wrong ?? none
}

const none: readonly Problem[] = []
