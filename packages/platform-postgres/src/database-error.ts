import { SignalboxError } from '@signalbox/core/base'

/**
 * Thrown when the database cannot be reached. If the connection broke before the answer arrived, the database may
 * have made the change.
 */
export class DatabaseUnavailableError extends SignalboxError {
  override readonly name = 'DatabaseUnavailableError'
  readonly code = 'DATABASE_UNAVAILABLE'

  constructor(cause: unknown, message = 'The database is not available. Try again later.') {
    // Clients can see the usual message. Therefore, the driver's message, which names hosts and users, is only the cause.
    super(message, { cause })
  }
}

/** Returns the error for the operator of a platform that cannot open its database. It names the server. */
export function unreachable(
  { host, port }: { readonly host: string; readonly port: number },
  error: DatabaseUnavailableError,
): DatabaseUnavailableError {
  const { message, errors = [] } = error.cause as AggregateError
  const why = message || errors.map(each => each.message).join(', ')
  return new DatabaseUnavailableError(
    error.cause,
    `The database at ${host}:${port} is not available: ${why}. Check the server, and the URL of the database.`,
  )
}

/**
 * The error codes of a server that is shutting down, has crashed, is starting or has too many connections, that only
 * reads, as a standby does, or that took too long. Class 08 contains connection errors, and class 53 contains errors
 * about resources.
 */
const codes =
  /^(?:08...|25006|25P0[34]|55P03|57014|57P0[1-5]|53[0-3]00|E(?:CONN|PIPE|HOST|NET|TIMEDOUT|AI_AGAIN|NOTFOUND).*)$/

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
  // When a host has several addresses, the error contains one error for each address.
  if (errors?.some(isConnectionFailure)) return true
  return messages.test(String(message))
}
