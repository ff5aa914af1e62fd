import { SignalboxError } from '@signalbox/core/base'

/** The database cannot be reached. A change may have been made if the connection broke before the answer. */
export class DatabaseUnavailableError extends SignalboxError {
  override readonly name = 'DatabaseUnavailableError'
  readonly code = 'DATABASE_UNAVAILABLE'

  constructor(cause: unknown) {
    // The message of the driver names hosts and users, so it is only the cause.
    super('The database is not available. Try again later.', { cause })
  }
}

/**
 * The codes for shutdown, crash, start and too many connections. Class 08 is about connections, class 53 about
 * resources.
 */
const codes = /^(?:08...|57P0[1-5]|53[0-3]00|E(?:CONN|PIPE|HOST|NET|TIMEDOUT|AI_AGAIN|NOTFOUND).*)$/

const messages =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|Cannot use a pool after/i

/** Returns whether an error of the driver means that the database cannot be reached now. */
export function isConnectionFailure(error: unknown): boolean {
  const { code, message, errors } = (error ?? {}) as {
    readonly code?: unknown
    readonly message?: unknown
    readonly errors?: readonly unknown[]
  }
  if (typeof code === 'string' && codes.test(code)) return true
  // A host with several addresses fails with the errors of all of them.
  if (errors?.some(isConnectionFailure)) return true
  return messages.test(String(message))
}
