import type { Problem } from '@signalbox/codec'
import { InvalidOptionError, SignalboxError } from '@signalbox/core'
import type { ReplyHeaders } from './reply.ts'

/** A problem in a request, and the part of the request that contains it. */
export interface RequestProblem extends Problem {
  readonly in: 'params' | 'query' | 'headers' | 'cookies' | 'body'
}

/** Options of an `HttpError`. */
export interface HttpErrorOptions extends ErrorOptions {
  /** Whether the client gets the message. Default: true for a status below 500. */
  readonly expose?: boolean
  /** Headers of the answer, such as `retry-after`. */
  readonly headers?: ReplyHeaders
  readonly problems?: readonly RequestProblem[]
}

/**
 * An error with an HTTP status. When it is thrown in a route, a guard or a hook, the client gets
 * `application/problem+json` (RFC 9457) with this status, and with the message as `detail` if it is exposed.
 * @example throw new HttpError(404, `There is no order ${params.id}`)
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
    // An invalid status is refused here, because later it would cause a 500 without an explanation.
    if (!(Number.isInteger(status) && status >= 400 && status <= 599)) {
      throw new InvalidOptionError(`HttpError: status is ${status}, expected an integer from 400 to 599`)
    }
    this.statusCode = status
    this.expose = expose
    this.headers = headers
    this.problems = problems
  }
}
