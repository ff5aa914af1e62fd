import type { ConsoleLoadBalancers } from './load-balancers.ts'
import type { ConsoleMail } from './mails.ts'
import type { ConsoleQueues } from './queues.ts'
import type { ConsoleUserPools } from './user-pools.ts'

/** The parts of the console that sources provide. Each source fills in its own part. */
export interface ConsoleParts {
  readonly loadBalancers?: ConsoleLoadBalancers
  readonly queues?: ConsoleQueues
  readonly mail?: ConsoleMail
  readonly userPools?: ConsoleUserPools
}
