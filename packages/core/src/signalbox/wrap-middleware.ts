import { kindOf } from '@signalbox/codec'
import { InvalidOptionError, UnknownEventError } from '../errors.ts'
import { named } from '../middleware/named.ts'
import type { Middleware, Plugin, Request } from '../plugin.ts'

/** A request in which a hook can respond early, as middy allows. */
type Answered = Request & { earlyResponse?: unknown }
type Hook = (request: Answered) => unknown
type When = (typeof hookNames)[number]

/** The hooks of a middleware. */
export const hookNames = ['before', 'after', 'onError'] as const

/**
 * Returns a middleware whose early responses pass through the hooks of the plugin that check responses. A hook responds
 * early when it returns a value or sets `earlyResponse`. Plugins adapt the middleware first.
 * @throws InvalidOptionError for a value that is not a middleware and, except in production, for `@middy/warmup`
 */
export function wrapMiddleware(
  middleware: Middleware,
  pluginOf: (request: Request) => Plugin | undefined,
  plugins: readonly Plugin[],
): Middleware {
  refuseNonMiddleware(middleware)
  if (process.env.NODE_ENV !== 'production') refuseWarmup(middleware)
  const wrap = (when: When, hook: Hook) =>
    named(hook.name, (request: Answered) => {
      const answer = hook(request)
      return answer instanceof Promise
        ? answer.then(returned => check(when, request, returned))
        : check(when, request, answer)
    })
  const check = (when: When, request: Answered, returned: unknown): unknown => {
    // Middy does the same with a returned value.
    if (returned !== undefined) request.earlyResponse = returned
    if (!('earlyResponse' in request)) return undefined
    const plugin = pluginOf(request)
    // The handler rejects an event that no plugin recognizes, whatever a hook responds.
    if (plugin === undefined || request.error instanceof UnknownEventError) return undefined
    request.response = request.earlyResponse
    delete request.earlyResponse
    return passThrough(plugin.middlewares, when, request, plugin.middlewares.length - 1)
  }
  const adapted = plugins.reduce((fit, { adapt }) => adapt?.(fit) ?? fit, middleware)
  const hooks: { [when in When]?: Hook } = {}
  for (const when of hookNames) {
    const hook = adapted[when] as Hook | undefined
    if (hook) hooks[when] = wrap(when, hook)
  }
  return hooks as Middleware
}

// Throws a clear error, because middy's error for undefined does not say what is wrong.
function refuseNonMiddleware(middleware: unknown): void {
  const hooks = Object(middleware) as { readonly [when in keyof Middleware]: unknown }
  if (typeof (hooks.before ?? hooks.after ?? hooks.onError) === 'function') return
  throw new InvalidOptionError(
    `use() takes middlewares, each with before, after or onError, not ${kindOf(middleware)}${process.env.NODE_ENV !== 'production' ? callOf(middleware) : ''}`,
  )
}

function callOf(middleware: unknown): string {
  const name = typeof middleware === 'function' ? middleware.name : ''
  return name && `: write use(${name}(…))`
}

/** Refuses @middy/warmup, because no plugin recognizes its events, and so none of its hooks would run. */
function refuseWarmup({ before }: Middleware): void {
  if (before?.name !== 'warmupMiddlewareBefore') return
  throw new InvalidOptionError(
    '@middy/warmup does not see its events here. Wrap the handler instead: middy().use(warmup()).handler(handler).',
  )
}

/**
 * Calls the hooks of a plugin that check the response of a request, from the last middleware to the first: the `after`
 * hooks, or for the response to an error the `onError` hooks where there are any. Then this is the early response.
 */
function passThrough(
  middlewares: readonly Middleware[],
  when: When,
  request: Answered,
  last: number,
): Promise<unknown> | undefined {
  for (let position = last; position >= 0; position--) {
    const { after, onError } = middlewares[position]!
    const hook = ((when === 'onError' && onError) || after) as Hook | undefined
    const done = hook?.(request)
    if (done instanceof Promise) return done.then(() => passThrough(middlewares, when, request, position - 1))
  }
  request.earlyResponse = request.response
  return undefined
}
