import middy from '@middy/core'
import type { Hint } from '@signalbox/codec'
import { type Deadline, type DeadlineOptions, deadline } from '../deadline.ts'
import { UnknownEventError } from '../errors.ts'
import { named } from '../middleware/named.ts'
import { unknownEvent } from '../middleware/unknown-event.ts'
import { notAnAnswer } from '../not-an-answer.ts'
import type { InvocationContext, Middleware, Plugin, Request } from '../plugin.ts'
import { type SignalboxOptions, separate } from './arguments.ts'
import { fastExecutionMode } from './fast-execution-mode.ts'
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
  const only = plugins.length === 1 ? plugins[0] : undefined

  const requestEnd = (request: Request): unknown => {
    // If an onError hook sets a response for an unrecognized event, the platform could mistake the response for
    // success.
    if (request.response !== undefined && request.error instanceof UnknownEventError) throw request.error
    return middyOptions.requestEnd?.(request)
  }
  const pluginFor = (event: unknown) => only ?? recognize(event, plugins)
  const begin = (context: InvocationContext) => deadline(context, deadlineOptions)
  const dispatch = (event: unknown, context: InvocationContext, middyInvocation: { signal: AbortSignal }) => {
    const plugin = pluginFor(event)
    const invocation = followsMiddy
      ? deadline(context, { ...deadlineOptions, signal: middyInvocation.signal })
      : begin(context)
    let result: unknown
    try {
      result = plugin.handler(event as never, context, invocation)
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
  const inside = { dispatch, pluginFor, begin, only: only?.handler }
  const mode = isPlain ? { executionMode: fastExecutionMode(inside) } : middyOptions
  const handler = middy({ timeoutEarlyInMillis: 0, ...mode, requestEnd } as never)
  // The receiver of a single plugin recognizes the events.
  if (!only?.middlewares.find(({ before }) => before)?.recognizes) {
    const mark = (request: Recognized): void => {
      request[recognized] = recognize(request.event, plugins)
    }
    handler.before(named('signalbox-recognize', mark))
  }
  for (const plugin of plugins) {
    for (const middleware of plugin.middlewares) addHooks(handler as never, plugin, middleware, only)
  }
  handler.handler(dispatch as never)
  const wrapped = serializeEarlyResponses(
    handler as never,
    request => only ?? (request as Recognized)[recognized],
    plugins,
  )
  return notAnAnswer('a handler', wrapped)
}

const recognized = Symbol('signalbox.plugin')
type Recognized = Request & { [recognized]?: Plugin }

function recognize(event: unknown, plugins: readonly Plugin[]): Plugin {
  for (const plugin of plugins) {
    if (plugin.family.recognizes(event)) return plugin
  }
  throw unknownEvent(
    event,
    plugins.map(({ family }) => family),
  )
}

/**
 * Adds the hooks of a plugin's middleware, which run only when the plugin recognized the event. With a single plugin,
 * only `onError` needs the check, because middy also calls it for unrecognized events. It then looks at the event again,
 * so that invocations without an error pay nothing.
 */
function addHooks(
  handler: SignalboxHandler<unknown>,
  plugin: Plugin,
  middleware: Middleware,
  only: Plugin | undefined,
): void {
  let isEmpty = true
  for (const when of hookNames) {
    const hook = middleware[when] as ((request: Recognized) => unknown) | undefined
    if (!hook) continue
    isEmpty = false
    const name = middleware.name ?? hook.name
    if (only && when !== 'onError' && hook.name === name) {
      handler[when](hook as never)
      continue
    }
    const isRecognized = only
      ? ({ event }: Recognized) => when !== 'onError' || plugin.family.recognizes(event)
      : (request: Recognized) => request[recognized] === plugin
    const guarded = (request: Recognized) => (isRecognized(request) ? hook(request) : undefined)
    handler[when](named(name, guarded) as never)
  }
  // Middy's error says what is wrong with a middleware without hooks.
  if (isEmpty) handler.use(middleware)
}

async function endAfter(result: Promise<unknown>, invocation: Deadline): Promise<unknown> {
  try {
    return await result
  } finally {
    invocation.end()
  }
}
