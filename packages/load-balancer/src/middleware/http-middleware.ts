import { named, notAnAnswer, type Request } from '@signalbox/core'
import type { LoadBalancerEvent } from '../contract/index.ts'
import { loadBalancerFamily } from '../family.ts'
import { changeErrorReply } from '../response/error-reply.ts'
import type { Reply } from '../response/reply.ts'
import { onceReply } from '../response/web-response.ts'

/** The hooks of a middleware of requests and their replies. */
interface HttpHooks {
  readonly before?: (request: Request<LoadBalancerEvent>) => unknown
  readonly after?: (request: Request<LoadBalancerEvent, Reply>) => void | Promise<void>
  readonly onError?: (request: Request<LoadBalancerEvent, Reply>) => void
}

/** A middleware of requests, typed so that it fits into any middy stack. */
export interface HttpMiddleware {
  readonly name: string
  readonly before?: (request: Request<LoadBalancerEvent>) => unknown
  readonly after?: (request: Request<LoadBalancerEvent>) => void | Promise<void>
  readonly onError?: (request: Request<LoadBalancerEvent>) => void | Promise<void>
}

const own = new WeakSet<object>()

/** Whether a middleware is one of this package's, which read both modes. */
export function isOwn(middleware: object): boolean {
  return own.has(middleware)
}

/** A middleware of requests. In a handler of several families it leaves the others' events and answers alone. */
export function httpMiddleware(name: string, hooks: HttpHooks): HttpMiddleware {
  const guarded = Object.entries(hooks).map(([when, hook]: [string, (request: never) => unknown]) => [
    when,
    named(name, (request: Request) =>
      loadBalancerFamily.recognizes(request.event)
        ? onceReply(request as Request<LoadBalancerEvent>, () => hook(request as never))
        : undefined,
    ),
  ])
  const middleware = notAnAnswer('a middleware', { name, ...Object.fromEntries(guarded) })
  own.add(middleware)
  return middleware
}

/** Hooks that change every reply, those that errors become included. */
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
