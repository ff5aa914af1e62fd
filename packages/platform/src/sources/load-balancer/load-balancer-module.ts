import type { SourceModule } from '../../source/source-module.ts'
import type { LoadBalancerSettings } from './config/load-balancer-settings.ts'
import { loadBalancersPart } from './config/load-balancers-part.ts'
import { loadBalancer } from './load-balancer.ts'

/** HTTP listeners in front of functions. */
export const loadBalancerModule: SourceModule<readonly LoadBalancerSettings[]> = {
  config: loadBalancersPart,
  family: async () => (await import('./http-family.ts')).httpFamily,
  commands: [],
  open: (settings = [], context) => ({
    sources: settings.map(each => loadBalancer(each, context)),
    access: {},
  }),
}
