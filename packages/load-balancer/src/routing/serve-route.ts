import { isLater } from '@signalbox/codec/ready'
import {
  InvalidOptionError,
  type Invocation,
  type InvocationContext,
  inDevelopmentOrTest,
} from '@signalbox/core'
import type { LoadBalancerEvent } from '../contract/index.ts'
import { showSingleMaps } from '../middleware/middy-middlewares.ts'
import { parsePath } from '../paths/path-pattern.ts'
import { type DecodedParts, LazyRequest, type RequestSettings } from '../request/http-request.ts'
import { mapError } from '../response/error-map.ts'
import { HttpError } from '../response/http-error.ts'
import { toReply } from '../response/to-reply.ts'
import { asDeclared } from './answer-problems.ts'
import { checkParams } from './check-params.ts'
import type { GuardedRequest } from './guard.ts'
import type { MiddyHandler, Route, ServeRoute } from './route.ts'

type Params = { readonly [name: string]: string }
type AnyHandler = (...args: readonly unknown[]) => unknown

/**
 * Makes the function that serves the requests of a route: it decodes the parameters, runs the guard, checks the input,
 * calls the handler, and maps errors.
 * @throws InvalidOptionError for a handler that is not a function, and for a codec of `params` that needs other
 * parameters than the path has
 */
export function serveRoute(route: Route, handlerSettings: RequestSettings): ServeRoute {
  const { guard, check } = route
  const settings = settingsOf(route, handlerSettings)
  const names = parameterNames(route)
  const blank = blankParams(names)
  const where = `${route.method} ${route.path}`
  if (typeof route.handler !== 'function') throw new InvalidOptionError(`The route ${where} has no handler`)
  if (process.env.NODE_ENV !== 'production' && route.input?.params)
    checkParams(where, route.input.params, blank)
  const handler = route.handler as AnyHandler
  const isMiddy = isMiddyHandler(handler)
  const returns = route.input?.returns

  const answer = (
    event: LoadBalancerEvent,
    context: InvocationContext,
    invocation: Invocation,
    params: Params,
    fields: object | undefined,
    decoded: DecodedParts | undefined,
  ) => {
    const returned = isMiddy
      ? handler(eventForMiddy(event, params), context, invocation)
      : handler(new LazyRequest(event, context, invocation, settings, params, decoded, fields), context)
    const reply = toReply(returned, where, event)
    return returns !== undefined && process.env.NODE_ENV !== 'production' && inDevelopmentOrTest()
      ? Promise.resolve(reply).then(each => asDeclared(route, each, returns, event))
      : reply
  }
  const handle: ServeRoute = (event, context, invocation, rawParams, fields) => {
    const params = decodeParams(names, blank, rawParams)
    const decoded = check?.(event, params, settings)
    return isLater(decoded)
      ? decoded.then(parts => answer(event, context, invocation, params, fields, parts))
      : answer(event, context, invocation, params, fields, decoded)
  }
  const guarded: ServeRoute =
    guard === undefined
      ? handle
      : async (event, context, invocation, rawParams, earlier) => {
          const params = decodeParams(names, blank, rawParams)
          const request = new LazyRequest(event, context, invocation, settings, params, undefined, earlier)
          const result = await guard.run(request as GuardedRequest, context, earlier)
          return 'answer' in result
            ? toReply(result.answer, where, event)
            : handle(event, context, invocation, rawParams, result.fields)
        }
  return mappingErrors(route, guarded)
}

/**
 * Returns a function that serves requests with `serve`, and maps errors with the error maps of the route and its
 * groups.
 */
export function mappingErrors(route: Route, serve: ServeRoute): ServeRoute {
  if (route.errors.length === 0) return serve
  const where = `${route.method} ${route.path}`
  return (event, ...rest) => {
    const mapped = (error: unknown) => toReply(mapError(route.errors, error), where, event)
    try {
      const reply = serve(event, ...rest)
      return reply instanceof Promise ? reply.catch(mapped) : reply
    } catch (error) {
      return mapped(error)
    }
  }
}

/** Returns the settings for reading the requests of a route. */
export function settingsOf({ bodyLimit }: Route, settings: RequestSettings): RequestSettings {
  return bodyLimit === undefined ? settings : { ...settings, bodyLimit }
}

/** Returns the names of the parameters of a route, in the order of its path. */
export function parameterNames({ path }: Route): readonly string[] {
  return parsePath(path).flatMap(segment => (segment.kind === 'static' ? [] : [segment.name]))
}

function isMiddyHandler(handler: object): handler is MiddyHandler {
  return 'use' in handler && 'before' in handler && 'after' in handler && 'onError' in handler
}

/**
 * Returns the event for a middy handler. It has single-value maps, because many middlewares of middy read only these.
 */
function eventForMiddy(event: LoadBalancerEvent, pathParameters: object): LoadBalancerEvent {
  const copy = { ...event, pathParameters }
  showSingleMaps(copy)
  return copy
}

/** Returns an object with the parameters of a path, which `decodeParams` copies. */
export function blankParams(names: readonly string[]): Params {
  return Object.fromEntries(names.map(name => [name, '']))
}

/**
 * Returns the parameters of a path by name, percent-decoded.
 * @param blank the result of `blankParams`, in which every parameter is a field of its own, even `__proto__`
 * @throws HttpError 400 for a malformed percent escape
 */
export function decodeParams(names: readonly string[], blank: Params, values: readonly string[]): Params {
  const params: { [name: string]: string } = { ...blank }
  for (let i = 0; i < names.length; i++) params[names[i]!] = decode(values[i]!)
  return params
}

function decode(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    throw new HttpError(400, 'The path has a malformed percent escape')
  }
}
