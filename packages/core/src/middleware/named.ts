import { notAnAnswer } from '../not-an-answer.ts'
import type { Middleware } from '../plugin.ts'

/**
 * Sets the name of a hook. Middy reports this name when it times middlewares.
 * @example
 * ```ts
 * import { named } from '@signalbox/core'
 *
 * const hook = named('request-log', () => console.log('called'))
 * hook.name // 'request-log'
 * ```
 */
export function named<F extends (...args: never) => unknown>(name: string, hook: F): F {
  return Object.defineProperty(hook, 'name', { value: name })
}

/**
 * Returns a middleware whose hooks have its name.
 * @example
 * ```ts
 * import { type HookRequest, namedMiddleware } from '@signalbox/core'
 *
 * export const requestLog = () =>
 *   namedMiddleware('request-log', { before: ({ event }: HookRequest) => console.log(event) })
 * ```
 */
export function namedMiddleware<Hooks extends Middleware>(
  name: string,
  hooks: Hooks,
): Hooks & { readonly name: string } {
  for (const when in hooks) named(name, hooks[when] as never)
  return notAnAnswer('a middleware', { name, ...hooks })
}
