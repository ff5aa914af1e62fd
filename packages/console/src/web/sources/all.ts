import { executionPages } from './executions/execution-pages.tsx'
import { loadBalancerPages } from './load-balancers/load-balancer-pages.tsx'
import { mailPages } from './mail/mail-pages.tsx'
import { queuePages } from './queues/queue-pages.tsx'
import type { SourcePages } from './source-pages.ts'
import { userPoolPages } from './users/user-pool-pages.tsx'

/** What this application has by hand for sources, in the order of the navigation. Only this file names them. */
export const sources: readonly SourcePages[] = [
  queuePages,
  mailPages,
  userPoolPages,
  executionPages,
  loadBalancerPages,
]
