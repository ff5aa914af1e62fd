import type { SourceModule } from '@signalbox/platform-runtime'
import { loadBalancer } from './api/load-balancer.ts'
import { openapi } from './commands/openapi.ts'
import type { LoadBalancerSettings } from './config/load-balancer-settings.ts'
import { loadBalancersPart } from './config/load-balancers-part.ts'
import { loadBalancerStarter } from './load-balancer-starter.ts'

/** HTTP listeners in front of functions. */
export const loadBalancerModule: SourceModule<readonly LoadBalancerSettings[]> = {
  config: loadBalancersPart,
  family: async () => (await import('./http-family.ts')).httpFamily,
  commands: [openapi],
  starter: loadBalancerStarter,
  open: (settings = [], context) => ({
    sources: settings.map(each => loadBalancer(each, context)),
    access: {},
  }),
}
