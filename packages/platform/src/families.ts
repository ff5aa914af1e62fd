import type { Family } from '@signalbox/core'
import { loadBalancerFamily } from '@signalbox/load-balancer'
import { mailFlowFamily } from '@signalbox/mail-flow'
import { queueFamily } from '@signalbox/queue'
import { userPoolFamily } from '@signalbox/user-pool'

/** Every family that the platform plays. */
const families: readonly Family[] = [userPoolFamily, queueFamily, mailFlowFamily, loadBalancerFamily]

/** The family that an event belongs to, valid or not. */
export function familyOf(event: unknown): Family | undefined {
  return families.find(family => family.recognizes(event))
}
