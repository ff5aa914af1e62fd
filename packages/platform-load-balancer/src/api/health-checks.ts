import { httpVerdict, requestEvent } from '@signalbox/load-balancer/contract'
import type { SourceContext } from '@signalbox/platform-runtime'
import type { HealthCheckSettings, Target } from '../config/load-balancer-settings.ts'
import { describeHttpVerdict } from '../describe-http-verdict.ts'
import { requestTarget } from './request/request-target.ts'

/** The value of `user-agent`, the only header of a health check. It is an extension of the contract. */
const healthCheckAgent = 'ELB-HealthChecker/2.0'

/**
 * Calls a function at intervals, and reports when it becomes healthy or unhealthy. A response with status 200 counts
 * as healthy. The function gets client requests even while it is unhealthy, because a load balancer without a healthy
 * target tries all its targets.
 */
export function healthChecks(
  name: string,
  { functionName, targetGroupArn, multiValue }: Target,
  { path, interval, healthyThreshold, unhealthyThreshold }: HealthCheckSettings,
  { dispatch, clock, notice }: SourceContext,
): { readonly start: () => void; readonly stop: () => void } {
  const event = requestEvent(
    { method: 'GET', ...requestTarget(path, 'GET')!, headers: [['user-agent', healthCheckAgent]] },
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

  // The first check determines the state immediately, because there is no earlier state.
  const judge = (good: boolean) => {
    different = good === healthy ? 0 : different + 1
    const enough = healthy === undefined ? 1 : good ? healthyThreshold : unhealthyThreshold
    if (good === healthy || different < enough) return
    healthy = good
    different = 0
    notice(`${functionName} is ${good ? 'healthy' : 'unhealthy'}, according to the load balancer ${name}`)
  }

  return {
    start: () => void check(),
    stop() {
      stopped = true
      cancel?.()
    },
  }
}
