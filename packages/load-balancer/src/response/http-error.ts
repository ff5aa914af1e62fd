import type { Problem } from '@signalbox/codec'
import { InvalidOptionError, SignalboxError } from '@signalbox/core'
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
 * @throws InvalidOptionError for a status that is not from 400 to 599
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
    // Thrown where it is made, since an error with another status would be a 500 that nobody can explain.
    if (!(Number.isInteger(status) && status >= 400 && status <= 599)) {
      throw new InvalidOptionError(
        `HttpError: status is ${String(status)}, expected an integer from 400 to 599`,
      )
    }
    this.statusCode = status
    this.expose = expose
    this.headers = headers
    this.problems = problems
  }
}
