import type { OpenContext, Source } from '@signalbox/platform-runtime'
import type { LoadBalancer } from './api/load-balancer.ts'
import type { LoadBalancerSettings } from './config/load-balancer-settings.ts'

/**
 * Returns one load balancer of a platform. Its modules are loaded only when it starts, so that a platform without
 * load balancers does not load them.
 * @param measuredAs the name of its listener in metrics
 */
export function loadBalancerSource(
  settings: LoadBalancerSettings,
  context: OpenContext,
  measuredAs: string,
): Source {
  const name = `load balancer ${settings.name}`
  let opening: Promise<LoadBalancer> | undefined
  const load = () => import('./api/load-balancer.ts')
  return {
    name,
    load,
    async start() {
      opening = load().then(({ loadBalancer }) => loadBalancer(settings, context, measuredAs))
      return { source: name, url: await (await opening).start() }
    },
    stop: async grace => (await opening)?.stop(grace),
  }
}
