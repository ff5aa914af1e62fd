import {
  type BeforeMiddleware,
  type HookRequest,
  InvalidEventError,
  inDevelopment,
  named,
  normalizer,
  notAnAnswer,
  refuseUnknownOptions,
  validator,
} from '@signalbox/core'
import type { LoadBalancerEvent } from '../contract/index.ts'
import { requestLine } from '../contract/request-line.ts'
import { loadBalancerFamily } from '../family.ts'
import { checkErrorMap, type ErrorMap, mapError } from '../response/error-map.ts'
import { changedErrorReply } from '../response/error-reply.ts'
import { errorText } from '../response/error-text.ts'
import { isForClient, problem, problemOf } from '../response/problem.ts'
import type { Answer, Reply } from '../response/reply.ts'
import { serialize } from '../response/serializer.ts'
import { unknownFields } from '../response/unknown-fields.ts'
import { withReplyAsResponse } from '../response/web-response.ts'
import type { HttpMiddleware } from './http-middleware.ts'

/**
 * Returns the middleware that normalizes events.
 * @example
 * ```ts
 * import middy from '@middy/core'
 * import { get, json, loadBalancerNormalizer, responseSerializer, router } from '@signalbox/load-balancer'
 *
 * export const handler = middy()
 *   .use([responseSerializer(), loadBalancerNormalizer()])
 *   .handler(router([get('/', () => json('hello'))]))
 * ```
 */
export function loadBalancerNormalizer(): BeforeMiddleware<LoadBalancerEvent> {
  return normalizer(loadBalancerFamily)
}

/**
 * Returns the middleware that validates events (docs/contract/load-balancer.md#event.httpMethod). Its hook throws
 * InvalidEventError.
 * @example
 * ```ts
 * import middy from '@middy/core'
 * import {
 *   get,
 *   json,
 *   loadBalancerNormalizer,
 *   loadBalancerValidator,
 *   responseSerializer,
 *   router,
 * } from '@signalbox/load-balancer'
 *
 * export const handler = middy()
 *   .use([responseSerializer(), loadBalancerNormalizer(), loadBalancerValidator()])
 *   .handler(router([get('/', () => json('hello'))]))
 * ```
 */
export function loadBalancerValidator(): BeforeMiddleware<LoadBalancerEvent> {
  return validator(loadBalancerFamily)
}

/** Options of `responseSerializer`. */
export interface ResponseSerializerOptions {
  /** Receives a log line for every error that is hidden from the client. Default: `console.error`. */
  readonly log?: (line: string) => void
  /** Maps errors to answers. */
  readonly errors?: ErrorMap
}

/**
 * Returns the middleware that serializes replies (docs/contract/load-balancer.md#response.statusCode) and turns errors
 * into `application/problem+json`. An HttpError keeps its status, and an unknown error becomes a 500 without details.
 * Put the middleware first, so that its `after` hook runs last. If an event breaks the contract, the middleware throws
 * the error. See docs/decisions/http.md#middlewares-of-our-own-and-of-middy.
 * @throws InvalidOptionError for an unknown option
 * @example
 * ```ts
 * import middy from '@middy/core'
 * import { json, loadBalancerNormalizer, responseSerializer } from '@signalbox/load-balancer'
 *
 * export const handler = middy()
 *   .use([responseSerializer(), loadBalancerNormalizer()])
 *   .handler(() => json({ status: 'paid' }))
 * ```
 */
export function responseSerializer(options: ResponseSerializerOptions = {}): HttpMiddleware {
  refuseUnknownOptions('responseSerializer()', options, ['log', 'errors'])
  const { log = toConsole, errors } = options
  checkErrorMap('responseSerializer()', errors)
  const maps = errors === undefined ? [] : [errors]
  const name = 'load-balancer-serializer'
  const logged = new Set<string>()
  const logUnread = process.env.NODE_ENV === 'production' ? undefined : logUnreadFields
  const serializeReply = (request: HookRequest<LoadBalancerEvent>): void => {
    const { response, event, error } = request
    // This also runs for the answer of an onError hook. If an error were thrown here, the invocation would fail.
    request.response = error ? serializeOr500(response, event, log) : serialize(response, event)
    logUnread?.(event, response, log, logged)
  }
  const serializeErrorReply = (request: HookRequest<LoadBalancerEvent>): void => {
    request.response = serializeOr500(request.response, request.event, log)
  }
  return notAnAnswer('a middleware', {
    name,
    after: named(name, (request: HookRequest<LoadBalancerEvent>): void | Promise<void> =>
      withReplyAsResponse(request, serializeReply),
    ),
    onError: named(name, (request: HookRequest<LoadBalancerEvent>): void | Promise<void> => {
      const { event } = request
      if (request.response !== undefined) return withReplyAsResponse(request, serializeErrorReply)
      if (request.error instanceof InvalidEventError) return
      let reply: Answer
      try {
        reply = mapError(maps, request.error)
      } catch (error) {
        if (!isForClient(error) || error.statusCode >= 500) log(line(event, error))
        reply = problemOf(error)
      }
      request.response = reply
      return withReplyAsResponse(request, () => {
        request.response = serializeOr500(changedErrorReply(event, request.response as Reply), event, log)
      })
    }),
  })
}

/**
 * Logs the answer fields that the load balancer ignores. It logs each field once, and only in development.
 * @param logged the fields that were logged
 */
function logUnreadFields(
  event: LoadBalancerEvent,
  answer: unknown,
  log: (line: string) => void,
  logged: Set<string>,
): void {
  const unknown = unknownFields(answer as object)
  // The fields are checked first, because reading the environment takes as long as the whole serializer.
  if (unknown === undefined || !inDevelopment()) return
  for (const name of unknown) {
    if (!logged.has(name)) log(`${requestLine(event)} answered with ${name}, a field that is not sent`)
    logged.add(name)
  }
}

function serializeOr500(reply: unknown, event: LoadBalancerEvent, log: (line: string) => void): unknown {
  try {
    return serialize(reply, event)
  } catch (error) {
    log(line(event, error))
    return serialize(problem(500), event)
  }
}

function line(event: LoadBalancerEvent, error: unknown): string {
  return `${requestLine(event)} failed: ${errorText(error)}`
}

function toConsole(text: string): void {
  console.error(text)
}
