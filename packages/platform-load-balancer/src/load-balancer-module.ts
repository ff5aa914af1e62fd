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
  open(settings = [], context) {
    const urls = new Map<string, string>()
    return {
      sources: settings.map(each => {
        const source = loadBalancer(each, context)
        const start = async () => {
          const address = await source.start()
          urls.set(each.name, address.url)
          return address
        }
        return { ...source, start }
      }),
      access: {},
      ...(settings.length > 0 && {
        console: async () => ({
          loadBalancers: {
            list: () =>
              settings.map(({ name, functionName }) => ({
                name,
                url: urls.get(name),
                functions: [functionName],
              })),
          },
        }),
      }),
    }
  },
}
