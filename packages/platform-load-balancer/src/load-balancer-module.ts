import { boundedNames, type SourceModule } from '@signalbox/platform-runtime'
import { balancerVault } from './balancer-key.ts'
import type { LoadBalancerSettings } from './config/load-balancer-settings.ts'
import { loadBalancersPart } from './config/load-balancers-part.ts'
import { loadBalancerSource } from './load-balancer-source.ts'
import { loadBalancerStarter } from './load-balancer-starter.ts'
import { signingKeyApi } from './signing-key-api.ts'

/** The number of load balancers with metrics of their own. */
const mostMeasured = 20

/** HTTP listeners in front of functions. */
export const loadBalancerModule: SourceModule<readonly LoadBalancerSettings[]> = {
  config: loadBalancersPart,
  family: async () => (await import('./http-family.ts')).httpFamily,
  commands: async () => (await import('./commands/all.ts')).loadBalancerCommands,
  starter: loadBalancerStarter,
  open(settings = [], context) {
    const urls = new Map<string, string>()
    const measuredAs = boundedNames(
      settings.map(({ name }) => name),
      mostMeasured,
    )
    const openVault = balancerVault(context)
    const signsIn = settings.some(({ action, rules }) =>
      [action, ...rules.map(rule => rule.action)].some(({ authenticate }) => authenticate !== undefined),
    )
    return {
      apis: signsIn ? [signingKeyApi(openVault)] : [],
      sources: settings.map(each => {
        const source = loadBalancerSource(each, context, measuredAs(each.name), openVault)
        const start = async () => {
          const address = await source.start()
          urls.set(each.name, address.url)
          return address
        }
        return { ...source, start }
      }),
      functions: [...new Set(settings.flatMap(({ functionNames }) => functionNames))],
      access: {},
      console: async () => {
        const { loadBalancerConsole } = await import('./console/load-balancer-console.ts')
        return loadBalancerConsole(
          () =>
            settings.map(({ name, functionNames }) => ({
              name,
              url: urls.get(name),
              functions: functionNames,
            })),
          context.machineClock,
        )
      },
    }
  },
}
