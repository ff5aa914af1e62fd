import type { Middleware, Plugin, Request } from '../plugin.ts'
import type { SignalboxHandler } from './signalbox-handler.ts'
import { hookNames, wrapMiddleware } from './wrap-middleware.ts'

/**
 * A middleware responds early by returning a value or setting `earlyResponse`, and middy then skips all remaining hooks,
 * including those that shape and check the response. This function wraps the hooks that are added to the handler from
 * now on, so that an early response passes through the hooks of the plugin before middy gets it. Plugins adapt the
 * middlewares first.
 */
export function serializeEarlyResponses(
  handler: SignalboxHandler<unknown>,
  pluginOf: (request: Request) => Plugin | undefined,
  plugins: readonly Plugin[],
): SignalboxHandler<unknown> {
  const { use } = handler
  const wrap = (middleware: Middleware) => wrapMiddleware(middleware, pluginOf, plugins)
  handler.use = middlewares =>
    use((Array.isArray(middlewares) ? middlewares.map(wrap) : wrap(middlewares as never)) as never)
  for (const when of hookNames) {
    const add = handler[when] as (hook: unknown) => unknown
    handler[when] = ((hook: never) => add(wrap({ [when]: hook })[when])) as never
  }
  return handler
}
