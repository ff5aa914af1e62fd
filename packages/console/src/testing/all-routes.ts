import { executionRoutes } from '@signalbox/platform-invoke/console'
import { loadBalancerRoutes } from '@signalbox/platform-load-balancer/console'
import { mailRoutes } from '@signalbox/platform-mail/console'
import { queueRoutes } from '@signalbox/platform-queue/console'
import { userPoolRoutes } from '@signalbox/platform-user-pool/console'
import { api } from '../api/api.ts'

/** The routes of the console and of all sources. */
export const allRoutes = {
  ...api,
  ...queueRoutes,
  ...mailRoutes,
  ...userPoolRoutes,
  ...loadBalancerRoutes,
  ...executionRoutes,
} as const
