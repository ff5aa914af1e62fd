import { kindOf } from '@signalbox/codec'
import { InvalidOptionError } from '../errors.ts'
import { named } from '../middleware/named.ts'
import type { Middleware, Plugin, Request } from '../plugin.ts'

type Hook = (request: Request) => unknown

/** The hooks of a middleware. */
export const hookNames = ['before', 'after', 'onError'] as const

/**
 * Returns a middleware whose early responses pass through the `after` hooks of the plugin. Plugins adapt the
 * middleware first.
 * @throws InvalidOptionError for a value that is not a middleware, and for `@middy/warmup`
 */
export function wrapMiddleware(
  middleware: Middleware,
  pluginOf: (request: Request) => Plugin | undefined,
  plugins: readonly Plugin[],
): Middleware {
  refuseNonMiddleware(middleware)
  refuseWarmup(middleware)
  const wrap = <H extends NonNullable<Middleware['before']>>(hook: H): H =>
    named(hook.name, (request: Request) => {
      const answer = (hook as unknown as Hook)(request)
      return answer instanceof Promise
        ? answer.then(returned => serialized(request, returned))
        : serialized(request, answer)
    }) as unknown as H
  const serialized = (request: Request, answer: unknown): unknown => {
    const plugin = answer === undefined ? undefined : pluginOf(request)
    if (plugin === undefined) return answer
    request.response = answer
    return afterHooks(request, plugin.middlewares, plugin.middlewares.length - 1)
  }
  const adapted = plugins.reduce((fit, { adapt }) => adapt?.(fit) ?? fit, middleware)
  const hooks: { -readonly [When in keyof Middleware]: Middleware[When] } = {}
  for (const when of hookNames) {
    const hook = adapted[when]
    if (hook) hooks[when] = wrap(hook)
  }
  return hooks
}

// Throws a clear error, because middy's error for undefined does not say what is wrong.
function refuseNonMiddleware(middleware: unknown): void {
  const hooks = Object(middleware) as { readonly [when in keyof Middleware]: unknown }
  if (typeof (hooks.before ?? hooks.after ?? hooks.onError) === 'function') return
  throw new InvalidOptionError(
    `use() takes middlewares, each with before, after or onError, not ${kindOf(middleware)}${callOf(middleware)}`,
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

function afterHooks(request: Request, middlewares: readonly Middleware[], last: number): unknown {
  for (let position = last; position >= 0; position--) {
    const done = (middlewares[position]!.after as Hook | undefined)?.(request)
    if (done instanceof Promise) return done.then(() => afterHooks(request, middlewares, position - 1))
  }
  return request.response
}
