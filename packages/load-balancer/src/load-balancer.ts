import {
  contractValidator,
  InvalidOptionError,
  namedMiddleware,
  notAnAnswer,
  type Plugin,
  type Request,
  receiver,
  refuseUnknownOptions,
} from '@signalbox/core'
import type { LoadBalancerEvent, LoadBalancerResponse } from './contract/index.ts'
import { loadBalancerFamily } from './family.ts'
import { type ResponseSerializerOptions, responseSerializer } from './middleware/middlewares.ts'
import { adaptMiddleware } from './middleware/middy-middlewares.ts'
import { routesKey } from './paths/route-index.ts'
import type { Reply } from './response/reply.ts'
import { isGuard } from './routing/guard.ts'
import type { Route, RouteGroup } from './routing/route.ts'
import { type RouterOptions, routerOf, routerOptionNames } from './routing/router.ts'

/** Options of `loadBalancer`. */
export interface LoadBalancerOptions extends RouterOptions, ResponseSerializerOptions {}

/**
 * Returns the plugin that serves HTTP requests from a load balancer. The most specific route answers a request. The
 * response has single-value or multi-value headers, depending on the request
 * (docs/contract/load-balancer.md#request.multi-value-mode). Errors become `application/problem+json`.
 *
 * @example
 * export const handler = signalbox(
 *   loadBalancer([
 *     get('/orders/{id}', async ({ params }) => json(await find(params.id))),
 *     post('/orders', { body: NewOrder }, ({ body }) => created(`/orders/${body.id}`, body)),
 *   ]),
 * )
 *
 * @throws InvalidOptionError for an unknown option, no routes, an invalid path, or two routes for the same requests
 */
export function loadBalancer(
  routes: readonly (Route | RouteGroup)[],
  options: LoadBalancerOptions = {},
): Plugin<LoadBalancerResponse, LoadBalancerEvent, Reply> {
  refuseUnknownOptions('loadBalancer()', options, [...routerOptionNames, 'log'])
  const { log, ...routerOptions } = options
  const { errors } = options
  const handler = routerOf('loadBalancer()', routes, routerOptions)
  return notAnAnswer('a plugin', {
    family: loadBalancerFamily,
    middlewares: [
      responseSerializer({ ...(log ? { log } : {}), ...(errors ? { errors } : {}) }),
      receiver(loadBalancerFamily, contractValidator(loadBalancerFamily)),
      namedMiddleware('load-balancer-routes', {
        before: (request: Request): void => {
          request.internal[routesKey] = handler.index
        },
      }),
    ],
    handler,
    adapt: middleware => {
      if (!isGuard(middleware)) return adaptMiddleware(middleware)
      throw new InvalidOptionError(
        "guard() is not for use(). Put it into a group around all routes: group('/', [guard], routes)",
      )
    },
  })
}
