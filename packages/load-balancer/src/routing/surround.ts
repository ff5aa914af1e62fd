import middy from '@middy/core'
import {
  type Invocation,
  type InvocationContext,
  type Middleware,
  named,
  type Request,
} from '@signalbox/core'
import type { LoadBalancerEvent } from '../contract/index.ts'
import { type RouteIndex, routesKey } from '../paths/route-index.ts'
import { LazyRequest, type RequestSettings } from '../request/http-request.ts'
import { toReply } from '../response/to-reply.ts'
import { type Guard, type GuardedRequest, isGuard } from './guard.ts'
import type { Route, ServeRoute, Surround } from './route.ts'
import { blankParams, decodeParams, parameterNames, settingsOf } from './serve-route.ts'

const currentCall = Symbol('load-balancer.call')

/** The data of a call that must not be in the event or the context, because middlewares can replace both. */
interface Call {
  readonly invocation: Invocation
  readonly params: readonly string[]
  /** The fields that guards have added to the request. */
  fields: object | undefined
}

type CallRequest = Request & { [currentCall]?: Call }

/**
 * Returns a function that runs the middlewares of a route around `serve`, with middy. The middy handler is made when it
 * is first needed.
 */
export const surround: Surround = (route, serve, index, settings) => {
  const where = `${route.method} ${route.path}`
  let handler: ((...request: Parameters<ServeRoute>) => Promise<unknown>) | undefined
  return (...request) => {
    handler ??= withMiddlewares(route, serve, index(), settingsOf(route, settings))
    return handler(...request).then(answer => toReply(answer, where, request[0]))
  }
}

function withMiddlewares(
  route: Route,
  serve: ServeRoute,
  index: RouteIndex<unknown>,
  settings: RequestSettings,
): (...request: Parameters<ServeRoute>) => Promise<unknown> {
  const handler = middy({ timeoutEarlyInMillis: 0, internal: { [routesKey]: index } })
  // Middy calls the first hook synchronously, and the handler directly after the last hook. So one variable is enough
  // for all calls.
  let call: Call
  handler.before((request: CallRequest) => {
    request[currentCall] = call
  })
  const names = parameterNames(route)
  for (const middleware of route.middlewares) {
    handler.use((isGuard(middleware) ? guardHook(middleware, names, settings) : middleware) as never)
  }
  handler.before((request: CallRequest) => {
    call = request[currentCall]!
  })
  handler.handler(((event: LoadBalancerEvent, context: InvocationContext) =>
    serve(event, context, call.invocation, call.params, call.fields)) as never)
  return (event, context, invocation, params) => {
    call = { invocation, params, fields: undefined }
    return handler(event as never, context as never) as Promise<unknown>
  }
}

/** Turns a guard of a group into a middy middleware. */
function guardHook(guard: Guard, names: readonly string[], settings: RequestSettings): Middleware {
  const blank = blankParams(names)
  return {
    before: named('guard', async (request: CallRequest & Request<LoadBalancerEvent>): Promise<unknown> => {
      const { event, context, [currentCall]: call } = request
      const { invocation, params, fields } = call!
      const decoded = decodeParams(names, blank, params)
      const seen = new LazyRequest(event, context, invocation, settings, decoded, undefined, fields)
      const result = await guard.run(seen as GuardedRequest, context, fields)
      if ('answer' in result) return result.answer
      call!.fields = result.fields
      return undefined
    }),
  }
}
