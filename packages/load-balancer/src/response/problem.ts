import { inDevelopment } from '@signalbox/core'
import { reasonPhrase } from '../contract/status.ts'
import { errorText } from './error-text.ts'
import { HttpError, type RequestProblem } from './http-error.ts'
import { jsonText } from './json-text.ts'
import { type Reply, type ReplyHeaders, refuseIterable } from './reply.ts'

/** The members of a problem besides its status (RFC 9457). An API may add its own members. */
export interface ProblemMembers {
  /**
   * A URI that identifies the kind of problem. Default `about:blank`, which means that only the status identifies the
   * kind.
   */
  readonly type?: string
  readonly title?: string
  readonly detail?: string | undefined
  readonly instance?: string
  readonly problems?: readonly RequestProblem[]
  readonly [extension: string]: unknown
}

/**
 * Returns an error reply of the type `application/problem+json` (RFC 9457).
 * @example problem(409, { detail: 'There are no more widgets', sku: 'widget-7' })
 */
export function problem(
  status: number,
  members: ProblemMembers | string = {},
  headers?: ReplyHeaders,
): Reply {
  if (process.env.NODE_ENV !== 'production') refuseIterable(headers)
  const more = typeof members === 'string' ? { detail: members } : members
  return {
    statusCode: status,
    headers: { 'content-type': 'application/problem+json', ...headers },
    body: jsonText({ title: reasonPhrase(status) ?? 'Unknown', status, ...more }, 'problem()'),
  }
}

/**
 * Returns whether an error is meant for the client: an HttpError, an error from middy's `createError`, or any error
 * with an integer `statusCode` and a Boolean `expose`. An error that has only a status, such as an error from an HTTP
 * client, describes the response of another server.
 */
export function isForClient(error: unknown): error is HttpError {
  if (typeof error !== 'object' || error === null) return false
  const { statusCode, expose } = error as Record<string, unknown>
  return (
    Number.isInteger(statusCode) &&
    (statusCode as number) >= 400 &&
    (statusCode as number) <= 599 &&
    typeof expose === 'boolean'
  )
}

/**
 * Returns the reply for any thrown value. An error that is not meant for the client becomes a 500, with a detail only
 * in development.
 */
export function problemOf(error: unknown): Reply {
  if (!isForClient(error)) return problem(500, inDevelopment() ? { detail: errorText(error) } : {})
  const { statusCode, message, expose } = error
  const own = error instanceof HttpError
  return problem(
    statusCode,
    {
      ...(expose || inDevelopment() ? { detail: message } : {}),
      ...(own && error.problems.length > 0 ? { problems: error.problems } : {}),
    },
    own ? error.headers : undefined,
  )
}
