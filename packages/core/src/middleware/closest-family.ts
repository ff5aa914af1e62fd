import type { Family } from '../plugin.ts'

/** The family that an event resembles most. */
export interface ClosestFamily {
  readonly family: string
  /** The fields that the event has in common with the family's events. */
  readonly commonFields: readonly string[]
}

/**
 * Returns the family with the most field names in common with the event, or undefined when no family shares a field
 * name with the event.
 * @example
 * ```ts
 * import { closestFamily } from '@signalbox/core'
 * import { loadBalancerFamily } from '@signalbox/load-balancer/family'
 * import { queueFamily } from '@signalbox/queue/family'
 *
 * closestFamily({ Records: 'none' }, [loadBalancerFamily, queueFamily])?.family // 'queue'
 * ```
 */
export function closestFamily(event: unknown, families: readonly Family[]): ClosestFamily | undefined {
  if (typeof event !== 'object' || event === null) return undefined
  let best: ClosestFamily | undefined
  for (const { name, keys } of families) {
    const commonFields = keys.filter(key => Object.hasOwn(event, key))
    if (commonFields.length > (best?.commonFields.length ?? 0)) best = { family: name, commonFields }
  }
  return best
}
