import type { OpenContext, Source } from '@signalbox/platform-runtime'
import type { LoadBalancer } from './api/load-balancer.ts'
import { type BalancerVault, hasSecrets } from './balancer-key.ts'
import type { LoadBalancerSettings } from './config/load-balancer-settings.ts'

/**
 * Returns one load balancer of a platform. Its modules are loaded only when it starts, so that a platform without
 * load balancers does not load them.
 * @param measuredAs the name of its listener in metrics
 * @param openVault opens what encrypts sessions
 */
export function loadBalancerSource(
  settings: LoadBalancerSettings,
  context: OpenContext,
  measuredAs: string,
  openVault: () => Promise<BalancerVault>,
): Source {
  const name = `load balancer ${settings.name}`
  let opening: Promise<LoadBalancer> | undefined
  const load = () => import('./api/load-balancer.ts')
  const open = async () => {
    const { loadBalancer } = await load()
    const { actionChecks } = await import('./api/rules/action-checks.ts')
    const vault = hasSecrets(settings) ? await openVault() : undefined
    return loadBalancer(settings, context, measuredAs, await actionChecks(settings, context, vault))
  }
  return {
    name,
    load,
    async start() {
      opening = open()
      return { source: name, url: await (await opening).start() }
    },
    stop: async grace => (await opening)?.stop(grace),
  }
}
