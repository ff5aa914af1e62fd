import type { LoadBalancersConfig } from '../sources/load-balancer/config/load-balancer-config.ts'
import type { LoadBalancerSettings } from '../sources/load-balancer/config/load-balancer-settings.ts'
import { loadBalancerModule } from '../sources/load-balancer/load-balancer-module.ts'
import { testProgram } from './test-program.ts'

export const { createPlatform } = testProgram<LoadBalancersConfig, readonly LoadBalancerSettings[]>(
  loadBalancerModule,
)

export type Platform = ReturnType<typeof createPlatform>
