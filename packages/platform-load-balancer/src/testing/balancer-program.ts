import { testProgram } from '@signalbox/platform-runtime/commands/testing/test-program'
import type { LoadBalancersConfig } from '../config/load-balancer-config.ts'
import type { LoadBalancerSettings } from '../config/load-balancer-settings.ts'
import { loadBalancerModule } from '../load-balancer-module.ts'

export const { createPlatform, signalbox } = testProgram<
  LoadBalancersConfig,
  readonly LoadBalancerSettings[]
>(loadBalancerModule)

export type Platform = ReturnType<typeof createPlatform>
