import { randomBytes } from 'node:crypto'
import type { Clock } from '@signalbox/core'
import { ApiError, type ConsolePart, found } from '@signalbox/platform-runtime/console'
import { type LoadBalancerState, loadBalancerRoutes } from './load-balancer-routes.ts'
import { responseTo } from './response-to.ts'

/**
 * Returns what load balancers bring to the console, which sends requests to their URLs, as any client does.
 * @param list returns the load balancers of the configuration
 */
export function loadBalancerConsole(
  list: () => readonly LoadBalancerState[],
  clock: Clock,
): ConsolePart<typeof loadBalancerRoutes> {
  return {
    name: 'loadBalancers',
    isUsed: list().length > 0,
    routes: loadBalancerRoutes,
    handlers: ({ invocations }) => ({
      loadBalancers: async () => list(),
      async sendRequest({ params, body }) {
        const { url } = found(
          list().find(each => each.name === params.name),
          `load balancer ${params.name}`,
        )
        if (url === undefined) throw new ApiError(400, `The load balancer ${params.name} has not started.`)
        if (!/^\/[^\s#]*$/.test(body.path))
          throw new ApiError(
            400,
            `The path ${JSON.stringify(body.path)} is invalid: expected one such as /orders?page=2.`,
          )
        const traceId = `1-${randomBytes(4).toString('hex')}-${randomBytes(12).toString('hex')}`
        const started = clock.now()
        const answer = await responseTo(url, body, traceId)
        const duration = clock.now() - started
        const { invocations: caused } = await invocations({ text: traceId, last: 1 })
        return { ...answer, duration, invocation: caused[0]?.id }
      },
    }),
  }
}
