import {
  type BeforeMiddleware,
  normalizer,
  notAnAnswer,
  type Plugin,
  receiver,
  refuseUnknownOptions,
  validator,
} from '@signalbox/core'
import type { TriggerEvent } from './contract/index.ts'
import { userPoolFamily } from './family.ts'
import type { Routes } from './route.ts'
import { userPoolSerializer } from './serializer.ts'
import { isSettled } from './settled.ts'
import { type RouterOptions, triggerRouter } from './trigger-router.ts'

/** Options of the user-pool plugin. */
export type UserPoolOptions = RouterOptions

/**
 * The plugin for user-pool triggers (contract A): absorbs drift, holds the event against the contract, picks the
 * route, and holds the answer against it. The function returns the same event with `response` filled in.
 *
 * @throws InvalidOptionError at once, for no route, and for a route or an option that nobody knows
 */
export function userPool(routes: Routes, options: UserPoolOptions = {}): Plugin<TriggerEvent, TriggerEvent> {
  refuseUnknownOptions('userPool()', options, ['decrypt'])
  return notAnAnswer('a plugin', {
    family: userPoolFamily,
    middlewares: [receiver(userPoolFamily, isSettled), userPoolSerializer()],
    handler: triggerRouter(routes, options),
  })
}

/** The middleware that absorbs drift, for people with a middy stack of their own. */
export function userPoolNormalizer(): BeforeMiddleware<TriggerEvent> {
  return normalizer(userPoolFamily)
}

/** The middleware that holds events against the contract. Its hook throws InvalidEventError. */
export function userPoolValidator(): BeforeMiddleware<TriggerEvent> {
  return validator(userPoolFamily)
}
