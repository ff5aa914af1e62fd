import {
  type BeforeMiddleware,
  contractValidator,
  normalizer,
  notAnAnswer,
  type Plugin,
  receiver,
  refuseUnknownOptions,
  validator,
} from '@signalbox/core'
import type { TriggerEvent } from './contract/index.ts'
import { isNormalizedEvent } from './contract/ready-event.ts'
import { userPoolFamily } from './family.ts'
import { userPoolSerializer } from './response/serializer.ts'
import { refusedEventOf } from './routing/refused-event.ts'
import type { Routes, WrittenRoutes } from './routing/route.ts'
import { type RouterOptions, triggerRouter } from './routing/trigger-router.ts'

/** Options of the user-pool plugin. */
export type UserPoolOptions = RouterOptions

/**
 * Returns the plugin for user-pool triggers (docs/contract/user-pool.md). It normalizes and validates the event,
 * calls the route of its trigger source, and checks the answer. The function returns the same event with `response`
 * filled in.
 *
 * @example
 * export const handler = signalbox(
 *   userPool({ PreSignUp: () => ({ autoConfirmUser: true }), otherwise: passThrough }),
 * )
 * @throws InvalidOptionError immediately, for a table without routes and for an unknown route or option
 */
export function userPool(
  routes: WrittenRoutes,
  options: UserPoolOptions = {},
): Plugin<TriggerEvent, TriggerEvent> {
  refuseUnknownOptions('userPool()', options, ['decrypt'])
  return notAnAnswer('a plugin', {
    family: userPoolFamily,
    middlewares: [
      receiver(
        userPoolFamily,
        contractValidator(userPoolFamily, refusedEventOf(routes as Routes)),
        isNormalizedEvent,
      ),
      userPoolSerializer(),
    ],
    handler: triggerRouter(routes, options),
  })
}

/**
 * Returns the middleware that normalizes events, for middy stacks without `signalbox()`.
 * @example
 * ```ts
 * import middy from '@middy/core'
 * import { triggerRouter, userPoolNormalizer } from '@signalbox/user-pool'
 *
 * export const handler = middy()
 *   .use(userPoolNormalizer())
 *   .handler(triggerRouter({ PostConfirmation: ({ userName }) => console.log(userName) }))
 * ```
 */
export function userPoolNormalizer(): BeforeMiddleware<TriggerEvent> {
  return normalizer(userPoolFamily)
}

/**
 * Returns the middleware that validates events. Its hook throws InvalidEventError, also for a trigger source that the
 * contract lacks, because it knows no routes.
 * @example
 * ```ts
 * import middy from '@middy/core'
 * import { triggerRouter, userPoolNormalizer, userPoolValidator } from '@signalbox/user-pool'
 *
 * export const handler = middy()
 *   .use([userPoolNormalizer(), userPoolValidator()])
 *   .handler(triggerRouter({ PostConfirmation: ({ userName }) => console.log(userName) }))
 * ```
 */
export function userPoolValidator(): BeforeMiddleware<TriggerEvent> {
  return validator(userPoolFamily)
}
