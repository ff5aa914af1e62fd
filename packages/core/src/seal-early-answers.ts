import { named } from './named.ts'
import type { Middleware, Plugin, Request } from './plugin.ts'
import type { SignalboxHandler } from './signalbox.ts'

type Hook = (request: Request) => unknown

/**
 * A middleware answers early by returning something, and middy then skips all that follows, what shapes and checks
 * the answer included. So the hooks that are added to this handler from now on are wrapped: what one returns goes
 * through the plugin's own `after` hooks before middy gets it.
 */
export function sealEarlyAnswers(
  handler: SignalboxHandler<unknown>,
  pluginOf: (request: Request) => Plugin | undefined,
): SignalboxHandler<unknown> {
  const { use, before, after, onError } = handler
  const seal = <H extends NonNullable<Middleware['before']>>(hook: H): H =>
    named(hook.name, (request: Request) => {
      const answer = (hook as unknown as Hook)(request)
      return answer instanceof Promise
        ? answer.then(given => through(request, given))
        : through(request, answer)
    }) as unknown as H
  const through = (request: Request, answer: unknown): unknown => {
    const plugin = answer === undefined ? undefined : pluginOf(request)
    if (plugin === undefined) return answer
    request.response = answer
    return afterHooks(request, plugin.middlewares, plugin.middlewares.length - 1)
  }
  const sealMiddleware = (middleware: Middleware): Middleware => {
    const hooks: { -readonly [When in keyof Middleware]: Middleware[When] } = { ...middleware }
    for (const when of ['before', 'after', 'onError'] as const) {
      const hook = middleware[when]
      if (hook) hooks[when] = seal(hook)
    }
    return hooks
  }
  return Object.assign(handler, {
    use: (middlewares: Middleware | readonly Middleware[]) =>
      use(
        Array.isArray(middlewares)
          ? middlewares.map(sealMiddleware)
          : sealMiddleware(middlewares as Middleware),
      ),
    before: (hook: NonNullable<Middleware['before']>) => before(seal(hook)),
    after: (hook: NonNullable<Middleware['after']>) => after(seal(hook)),
    onError: (hook: NonNullable<Middleware['onError']>) => onError(seal(hook)),
  })
}

function afterHooks(request: Request, middlewares: readonly Middleware[], last: number): unknown {
  for (let position = last; position >= 0; position--) {
    const done = (middlewares[position]!.after as Hook | undefined)?.(request)
    if (done instanceof Promise) return done.then(() => afterHooks(request, middlewares, position - 1))
  }
  return request.response
}
