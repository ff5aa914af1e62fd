import middy from '@middy/core'
import type { Hint } from '@signalbox/codec'
import { type Deadline, type DeadlineOptions, deadline } from '../deadline.ts'
import { UnknownEventError } from '../errors.ts'
import { named } from '../middleware/named.ts'
import { unknownEvent } from '../middleware/unknown-event.ts'
import { notAnAnswer } from '../not-an-answer.ts'
import { endObserved, observerOf, type Recognized, recognized } from '../observer.ts'
import type { InvocationContext, Middleware, Plugin, Request } from '../plugin.ts'
import { type SignalboxOptions, separate } from './arguments.ts'
import { executionMode } from './execution-mode.ts'
import { serializeEarlyResponses } from './serialize-early-responses.ts'
import type { SignalboxHandler } from './signalbox-handler.ts'
import { hookNames } from './wrap-middleware.ts'

/** The result of a handler with these plugins. */
export type ResultOf<P extends readonly Plugin[]> = P[number] extends infer Each
  ? Each extends Plugin<infer Result, unknown, unknown>
    ? Result
    : never
  : never

/** The event that middlewares of a handler with these plugins see. */
export type EventOf<P extends readonly Plugin[]> = P[number] extends infer Each
  ? Each extends Plugin<unknown, infer Event>
    ? Event
    : never
  : never

/** The response that middlewares of a handler with these plugins see. */
export type ResponseOf<P extends readonly Plugin[]> = P[number] extends infer Each
  ? Each extends Plugin<unknown, unknown, infer Response>
    ? Response
    : never
  : never

/**
 * Makes one handler from one or several family plugins. For each event it picks the plugin that recognizes the event
 * and runs the plugin's middlewares and base handler. The result is a middy handler. See
 * docs/decisions/core-and-middlewares.md#middlewares-inside.
 *
 * @example
 * export const handler = signalbox(userPool(routes), queue(options)).use(inputOutputLogger())
 * @throws InvalidOptionError at once, if there is no plugin, two plugins belong to the same family, or an option is
 * unknown. The handler rejects with UnknownEventError for an event that no plugin recognizes, InvalidEventError for an
 * event that breaks the contract, InvalidResponseError for a response that breaks it, and with everything that the
 * user's code throws.
 */
export function signalbox<const P extends readonly [Plugin, ...Plugin[]]>(
  ...plugins: P
): SignalboxHandler<ResultOf<P>, EventOf<P>, ResponseOf<P>>
export function signalbox<const P extends readonly [Plugin, ...Plugin[]]>(
  ...pluginsAndOptions: readonly [...P, SignalboxOptions]
): SignalboxHandler<ResultOf<P>, EventOf<P>, ResponseOf<P>>
/** No argument fits this overload, so that the compile error for a wrong argument shows the hint. */
export function signalbox(
  notPlugin: Hint<'write a plugin around it, as in signalbox(queue(…)); several plugins are arguments, not a list'>,
): SignalboxHandler<never>
export function signalbox(
  ...args: readonly (Plugin | SignalboxOptions | Hint<string>)[]
): SignalboxHandler<unknown> {
  const { plugins, options } = separate(args as readonly (Plugin | SignalboxOptions)[])
  const { reserve = 250, clock, ...middyOptions } = options
  const deadlineOptions = { reserve, clock } as DeadlineOptions
  const followsMiddy = (middyOptions.timeoutEarlyInMillis ?? 0) > 0

  const requestEnd = (request: Request): unknown => {
    endObserved(request)
    // If an onError hook sets a response for an unrecognized event, the platform could mistake the response for
    // success.
    if (request.response !== undefined && request.error instanceof UnknownEventError) throw request.error
    return middyOptions.requestEnd?.(request)
  }
  const dispatch = (event: unknown, context: InvocationContext, ofMiddy?: { signal: AbortSignal }) => {
    const plugin = plugins.length === 1 ? plugins[0]! : recognize(event, plugins)
    const invocation = deadline(
      context,
      followsMiddy ? { ...deadlineOptions, signal: ofMiddy!.signal } : deadlineOptions,
    )
    let result: unknown
    try {
      const run = () => plugin.handler(event as never, context, invocation)
      const observer = observerOf(context)
      result = observer === undefined ? run() : observer.handle(run)
    } catch (error) {
      invocation.end()
      throw error
    }
    if (result instanceof Promise) return endAfter(result, invocation)
    invocation.end()
    return result
  }
  // Custom middy options select middy's standard mode.
  const isPlain = Object.keys(middyOptions).length === 0
  const mode = isPlain ? { executionMode } : middyOptions
  const handler = middy(dispatch as never, { timeoutEarlyInMillis: 0, ...mode, requestEnd } as never)
  handler.before(
    named('signalbox-recognize', (request: Recognized): void => {
      request[recognized] = recognize(request.event, plugins)
    }),
  )
  for (const plugin of plugins) {
    for (const middleware of plugin.middlewares) addHooks(handler as never, plugin, middleware)
  }
  const wrapped = serializeEarlyResponses(
    handler as never,
    request => (request as Recognized)[recognized],
    plugins,
  )
  return notAnAnswer('a handler', wrapped)
}

function recognize(event: unknown, plugins: readonly Plugin[]): Plugin {
  for (const plugin of plugins) {
    if (plugin.family.recognizes(event)) return plugin
  }
  throw unknownEvent(
    event,
    plugins.map(({ family }) => family),
  )
}

/** Adds the hooks of a plugin's middleware, which run only when the plugin recognized the event. */
function addHooks(handler: SignalboxHandler<unknown>, plugin: Plugin, middleware: Middleware): void {
  const hooks: Record<string, unknown> = {}
  for (const when of hookNames) {
    const hook = middleware[when] as ((request: Recognized) => unknown) | undefined
    if (!hook) continue
    hooks[when] = named(middleware.name ?? hook.name, (request: Recognized) =>
      request[recognized] === plugin ? hook(request) : undefined,
    )
  }
  handler.use(hooks as Middleware)
}

async function endAfter(result: Promise<unknown>, invocation: Deadline): Promise<unknown> {
  try {
    return await result
  } finally {
    invocation.end()
  }
}
