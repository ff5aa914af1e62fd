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
  const why = (message || errors.map(each => each.message).join(', ')).replace(/\.$/, '')
  const [, remedy = 'Check the server, and the URL of the database.'] =
    remedies.find(([pattern]) => pattern.test(`${(error.cause as { code?: unknown }).code} ${why}`)) ?? []
  return new DatabaseUnavailableError(
    error.cause,
    `The database at ${host}:${port} is not available: ${why}. ${remedy}`,
  )
}

/** The settings that name the database. */
export const setting = 'the URL of the database (storage.postgres.url or SIGNALBOX_POSTGRES_URL)'

/** What to change after an error of TLS. The pattern matches the code and the message of the error. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/^ERR_TLS_CERT_ALTNAME/, `Its certificate has another name: use that name as the host in ${setting}.`],
  [/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)/, 'Renew its certificate, or check the clock of this machine.'],
  [
    /^(?:DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|CERT_|INVALID_CA)/,
    `Its certificate is not trusted: add sslmode=verify-full&sslrootcert=FILE to ${setting}, where FILE has the certificate of its authority.`,
  ],
  [
    /does not support SSL/,
    `Turn TLS on in the server (ssl = on), or remove sslmode from ${setting} if the network is yours.`,
  ],
  [/no encryption$|SSL off$/, `The server requires TLS: add sslmode=verify-full to ${setting}.`],
]

/** The error codes of certificates and TLS. A server gets a new certificate while platforms run. */
const tlsCodes =
  /^(?:CERT_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_|INVALID_(?:CA|PURPOSE)|ERR_TLS_|ERR_SSL_|EPROTO$)/

/**
 * The error codes of a server that is shutting down, has crashed, is starting or has too many connections, that only
 * reads, as a standby does, or that took too long. Class 08 contains connection errors, and class 53 contains errors
 * about resources.
 */
const codes =
  /^(?:08...|25006|25P0[34]|55P03|57014|57P0[1-5]|53[0-3]00|E(?:CONN|PIPE|HOST|NET|TIMEDOUT|AI_AGAIN|NOTFOUND).*)$/

const messages =
  /Connection terminated|server does not support SSL|no pg_hba\.conf entry|timeout exceeded when trying to connect|Query read timeout|not queryable|Cannot use a pool after/i

/** Returns whether an error of the driver means that the database cannot be reached now. */
export function isConnectionFailure(error: unknown): boolean {
  const { code, message, errors } = (error ?? {}) as {
    readonly code?: unknown
    readonly message?: unknown
    readonly errors?: readonly unknown[]
  }
  if (typeof code === 'string' && (codes.test(code) || tlsCodes.test(code))) return true
  // When a host has several addresses, the error contains one error for each address.
  if (errors?.some(isConnectionFailure)) return true
  return messages.test(String(message))
}
