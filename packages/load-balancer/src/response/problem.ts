import { inDevelopment } from '@signalbox/core'
import { reasonPhrase } from '../contract/status.ts'
import { errorText } from './error-text.ts'
import { HttpError, type RequestProblem } from './http-error.ts'
import type { Reply, ReplyHeaders } from './reply.ts'

/** What a problem says besides its status. RFC 9457; further members are the API's own. */
export interface ProblemMembers {
  /** A URI for this kind of problem. Left out, it is `about:blank`: the status says it all. */
  readonly type?: string
  readonly title?: string
  readonly detail?: string | undefined
  readonly instance?: string
  readonly problems?: readonly RequestProblem[]
  readonly [extension: string]: unknown
}

/** An error as an answer: `application/problem+json`, RFC 9457. */
export function problem(
  status: number,
  members: ProblemMembers | string = {},
  headers?: ReplyHeaders,
): Reply {
  const more = typeof members === 'string' ? { detail: members } : members
  return {
    statusCode: status,
    headers: { 'content-type': 'application/problem+json', ...headers },
    body: JSON.stringify({ title: reasonPhrase(status) ?? 'Unknown', status, ...more }),
  }
}

/**
 * Whether an error is meant for the client: an HttpError, one of middy's `createError`, or any that follows their
 * convention of an integer `statusCode` with a Boolean `expose`. Other errors with a status, such as those of HTTP
 * clients, are about somebody else's answer.
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
 * The answer to whatever was thrown. An error that is not meant for the client is a 500 without detail, except in
 * development, where people rather than users are looking.
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
