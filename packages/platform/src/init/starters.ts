import { loadBalancerStarter } from './load-balancer-starter.ts'
import { mailFlowStarter } from './mail-flow-starter.ts'
import { queueStarter } from './queue-starter.ts'
import type { Starter } from './starter.ts'
import { userPoolStarter } from './user-pool-starter.ts'

/** The families that a new project can have; the first is the default. */
export const starters: readonly Starter[] = [
  loadBalancerStarter,
  queueStarter,
  mailFlowStarter,
  userPoolStarter,
]
