import { type Problem, problems } from '@signalbox/codec'
import { responseCodec, responseGuard } from './response-codec.ts'
import { brokenRules } from './response-rules.ts'
import type { Trigger } from './trigger-event.ts'

/**
 * Everything that is wrong with a trigger's answer to an event: its fields, then the rules that depend on the
 * event. Pointers start at the event, so they begin with `/response`. Empty, and cheap, when all is well.
 */
export function responseProblems(trigger: Trigger, response: unknown, event: unknown): readonly Problem[] {
  if (!responseGuard(trigger)(response)) {
    return problems(responseCodec(trigger), response).map(problem => ({
      ...problem,
      pointer: `/response${problem.pointer}`,
    }))
  }
  return brokenRules(trigger, response, event)
}
