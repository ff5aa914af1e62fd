import { InvalidOptionError, type Invocation, type InvocationContext } from '@signalbox/core'
import type { LoadBalancerEvent } from '../contract/index.ts'
import { showSingleMaps } from '../middleware/middy-middlewares.ts'
import { LazyRequest, type RequestSettings } from '../request/http-request.ts'
import { HttpError } from '../response/http-error.ts'
import type { Reply } from '../response/reply.ts'
import { toReply } from '../response/to-reply.ts'
import { parsePath } from './path-pattern.ts'
import type { MiddyHandler, Route } from './route.ts'

/** Answers a request for one route. The parameters are given in the order of the path, not decoded. */
export type ServeRoute = (
  event: LoadBalancerEvent,
  context: InvocationContext,
  invocation: Invocation,
  params: readonly string[],
) => Reply | Promise<Reply>

type AnyHandler = (...args: readonly unknown[]) => unknown

/**
 * Turns a route into what serves its requests: decodes the parameters, checks the input, calls the handler.
 * @throws InvalidOptionError for a handler that is not a function
 */
export function serveRoute(route: Route, handlerSettings: RequestSettings): ServeRoute {
  const { check, bodyLimit = handlerSettings.bodyLimit } = route
  const settings = { ...handlerSettings, bodyLimit }
  const names = parsePath(route.path).flatMap(segment => (segment.kind === 'static' ? [] : [segment.name]))
  const where = `${route.method} ${route.path}`
  if (typeof route.handler !== 'function') throw new InvalidOptionError(`The route ${where} has no handler`)
  const handler = route.handler as AnyHandler
  const isMiddy = isMiddyHandler(handler)

  return (event, context, invocation, rawParams) => {
    const params = named(names, rawParams)
    const decoded = check?.(event, params, settings)
    const answer = isMiddy
      ? handler(forMiddy(event, params), context, invocation)
      : handler(new LazyRequest(event, context, invocation, settings, params, decoded), context)
    return answer instanceof Promise
      ? answer.then(settled => toReply(settled, where, event))
      : toReply(answer, where, event)
  }
}

function isMiddyHandler(handler: object): handler is MiddyHandler {
  return 'use' in handler && 'before' in handler && 'after' in handler && 'onError' in handler
}

/** The event for a middy handler of its own, whose middlewares may know single headers alone. */
function forMiddy(event: LoadBalancerEvent, pathParameters: object): LoadBalancerEvent {
  const given = { ...event, pathParameters }
  showSingleMaps(given)
  return given
}

function named(names: readonly string[], values: readonly string[]): { readonly [name: string]: string } {
  const params: { [name: string]: string } = {}
  for (let i = 0; i < names.length; i++) params[names[i]!] = decode(values[i]!)
  return params
}

function decode(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    throw new HttpError(400, 'The path has a percent escape that is none')
  }
}
