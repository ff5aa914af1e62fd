import type { Problem } from '@signalbox/codec'
import { SignalboxError } from '@signalbox/core'
import type { ReplyHeaders } from './reply.ts'

/** One thing that is wrong with a request: a codec's problem, and the part of the request it is about. */
export interface RequestProblem extends Problem {
  readonly in: 'params' | 'query' | 'headers' | 'body'
}

/** What an HttpError says besides its status and message. */
export interface HttpErrorOptions extends ErrorOptions {
  /** Whether the client is told the message. By default below 500 only. */
  readonly expose?: boolean
  /** Headers of the answer, such as `retry-after`. */
  readonly headers?: ReplyHeaders
  readonly problems?: readonly RequestProblem[]
}

/**
 * An error that is an HTTP answer: thrown anywhere in a route, the client gets `application/problem+json`
 * (RFC 9457) with this status, and with the message as `detail` if it is exposed.
 */
export class HttpError extends SignalboxError {
  override readonly name = 'HttpError'
  readonly code = 'HTTP_ERROR'
  readonly statusCode: number
  readonly expose: boolean
  readonly headers: ReplyHeaders
  readonly problems: readonly RequestProblem[]

  constructor(
    status: number,
    message: string,
    { expose = status < 500, headers = {}, problems = [], ...options }: HttpErrorOptions = {},
  ) {
    super(message, options)
    this.statusCode = status
    this.expose = expose
    this.headers = headers
    this.problems = problems
  }
}
