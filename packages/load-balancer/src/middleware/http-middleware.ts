import { type HookRequest, named, notAnAnswer, type Request } from '@signalbox/core'
import type { LoadBalancerEvent } from '../contract/index.ts'
import { loadBalancerFamily } from '../family.ts'
import { changeErrorReply } from '../response/error-reply.ts'
import type { Reply } from '../response/reply.ts'
import { withReplyAsResponse } from '../response/web-response.ts'

/** The hooks of a middleware, with the types of load-balancer requests and replies. */
interface HttpHooks {
  readonly before?: (request: Request<LoadBalancerEvent>) => unknown
  readonly after?: (request: Request<LoadBalancerEvent, Reply>) => void | Promise<void>
  readonly onError?: (request: Request<LoadBalancerEvent, Reply>) => void
}

/** A middleware for load-balancer requests. Its type allows it in any middy stack. */
export interface HttpMiddleware {
  readonly name: string
  readonly before?: (request: HookRequest<LoadBalancerEvent>) => unknown
  readonly after?: (request: HookRequest<LoadBalancerEvent>) => void | Promise<void>
  readonly onError?: (request: HookRequest<LoadBalancerEvent>) => void | Promise<void>
}

const ownMiddlewares = new WeakSet<object>()

/**
 * Returns whether a middleware belongs to this package. The middlewares of this package support both single-value and
 * multi-value headers.
 */
export function isOwn(middleware: object): boolean {
  return ownMiddlewares.has(middleware)
}

/**
 * Makes a middleware for load-balancer requests. In a handler for several kinds of events, it ignores events that are
 * not from a load balancer.
 */
export function httpMiddleware(name: string, hooks: HttpHooks): HttpMiddleware {
  const ownEvents = Object.entries(hooks).map(([when, hook]: [string, (request: never) => unknown]) => [
    when,
    named(name, (request: Request) =>
      loadBalancerFamily.recognizes(request.event)
        ? withReplyAsResponse(request as Request<LoadBalancerEvent>, hook as (request: unknown) => unknown)
        : undefined,
    ),
  ])
  const middleware = notAnAnswer('a middleware', { name, ...Object.fromEntries(ownEvents) })
  ownMiddlewares.add(middleware)
  return middleware
}

/** Makes hooks that change every reply, including the replies to errors. */
export function everyReply(change: (reply: Reply, event: LoadBalancerEvent) => Reply): HttpHooks {
  return {
    after: request => {
      request.response = change(request.response!, request.event)
    },
    onError: request => {
      const { event, response } = request
      if (response !== undefined) request.response = change(response, event)
      else changeErrorReply(event, reply => change(reply, event))
    },
  }
}
