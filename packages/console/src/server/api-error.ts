import { SignalboxError } from '@signalbox/core/base'

/** A request that the API answers with an error. The message is for the user. */
export class ApiError extends SignalboxError {
  override readonly name = 'ApiError'
  readonly code = 'CONSOLE_REQUEST'
  readonly status: 400 | 404 | 413

  constructor(status: 400 | 404 | 413, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** The value, or an error that it is not there. */
export function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new ApiError(404, `There is no ${what}.`)
  return value
}
