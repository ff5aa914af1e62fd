import { httpVerdict, requestEvent } from '@signalbox/load-balancer/contract'
import type { SourceContext } from '@signalbox/platform-runtime'
import type { HealthCheckSettings, LoadBalancerSettings } from '../config/load-balancer-settings.ts'
import { describeHttpVerdict } from '../describe-http-verdict.ts'

/** The `user-agent` of a health check, which is the only header that it has. Contract D, extension. */
const healthCheckAgent = 'ELB-HealthChecker/2.0'

/**
 * Asks a function at intervals how it is: 200 is healthy. That is told when it changes, and requests go to the
 * function either way, since a load balancer with no healthy target tries them all.
 */
export function healthChecks(
  { name, functionName, targetGroupArn, multiValue }: LoadBalancerSettings,
  { path, interval, healthyThreshold, unhealthyThreshold }: HealthCheckSettings,
  { dispatch, clock, notice }: SourceContext,
): { readonly start: () => void; readonly stop: () => void } {
  const event = requestEvent(
    { method: 'GET', path, headers: [['user-agent', healthCheckAgent]] },
    { targetGroupArn, multiValue },
  )
  let healthy: boolean | undefined
  let different = 0
  let cancel: (() => void) | undefined
  let stopped = false

  const check = async () => {
    const { verdict } = await dispatch({
      functionName,
      event,
      family: 'load-balancer',
      source: `health check ${name}`,
      verdict: payload => httpVerdict(payload, event),
      describe: describeHttpVerdict,
    })
    if (stopped) return
    judge(verdict.status === 200)
    cancel = clock.after(interval, check)
  }

  // The first answer counts at once: there is nothing yet that it could differ from by accident.
  const judge = (good: boolean) => {
    different = good === healthy ? 0 : different + 1
    const enough = healthy === undefined ? 1 : good ? healthyThreshold : unhealthyThreshold
    if (good === healthy || different < enough) return
    healthy = good
    different = 0
    notice(`${functionName} is ${good ? 'healthy' : 'unhealthy'}, as the load balancer ${name} finds`)
  }

  return {
    start: () => void check(),
    stop() {
      stopped = true
      cancel?.()
    },
  }
}
