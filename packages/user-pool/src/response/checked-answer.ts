import type { Trigger } from '../contract/trigger-event.ts'

/**
 * The event to which the router of a plugin has just written an answer that is valid and breaks no rule. The serializer
 * of the plugin does not check the answer again when it runs directly after the router. See
 * docs/decisions/user-pools.md#an-answer-is-checked-once.
 */
export interface CheckedAnswer {
  event: unknown
  trigger: Trigger | undefined
}
