import { InvalidOptionError } from './errors.ts'
import { named } from './named.ts'
import type { Middleware, Plugin, Request } from './plugin.ts'
import type { SignalboxHandler } from './signalbox-handler.ts'

type Hook = (request: Request) => unknown

/**
 * A middleware answers early by returning something, and middy then skips all that follows, what shapes and checks
 * the answer included. So the hooks that are added to this handler from now on are wrapped: what one returns goes
 * through the plugin's own `after` hooks before middy gets it. Plugins may adapt them before.
 */
export function sealEarlyAnswers(
  handler: SignalboxHandler<unknown>,
  pluginOf: (request: Request) => Plugin | undefined,
  plugins: readonly Plugin[],
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
    refuseBlind(middleware)
    const adapted = plugins.reduce((fit, { adapt }) => adapt?.(fit) ?? fit, middleware)
    const hooks: { -readonly [When in keyof Middleware]: Middleware[When] } = {}
    for (const when of ['before', 'after', 'onError'] as const) {
      const hook = adapted[when]
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
    before: (hook: NonNullable<Middleware['before']>) => before(sealMiddleware({ before: hook }).before!),
    after: (hook: NonNullable<Middleware['after']>) => after(sealMiddleware({ after: hook }).after!),
    onError: (hook: NonNullable<Middleware['onError']>) =>
      onError(sealMiddleware({ onError: hook }).onError!),
  })
}

/** Refuses what waits for events that no plugin recognizes, since no hook is called for these. */
function refuseBlind({ before }: Middleware): void {
  if (before?.name !== 'warmupMiddlewareBefore') return
  throw new InvalidOptionError(
    '@middy/warmup sees none of its events here. Put it around: middy().use(warmup()).handler(handler).',
  )
}

function afterHooks(request: Request, middlewares: readonly Middleware[], last: number): unknown {
  for (let position = last; position >= 0; position--) {
    const done = (middlewares[position]!.after as Hook | undefined)?.(request)
    if (done instanceof Promise) return done.then(() => afterHooks(request, middlewares, position - 1))
  }
  return request.response
}
