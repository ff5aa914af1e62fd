import { SignalboxError } from '@signalbox/core/base'

/** An error that the API returns as the answer to a request. The user sees its message. */
export class ApiError extends SignalboxError {
  override readonly name = 'ApiError'
  readonly code = 'CONSOLE_REQUEST'
  readonly status: 400 | 404 | 413

  constructor(status: 400 | 404 | 413, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** Returns the value. Throws an error with status 404 if the value is undefined. */
export function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new ApiError(404, `There is no ${what}.`)
  return value
}
