import { formatProblems, type Problem } from '@signalbox/codec'

/**
 * The base of every error that Signalbox throws. `code` is stable across releases, but messages can change. No message,
 * property or cause contains a password, a challenge answer, a one-time code or a cookie.
 */
export abstract class SignalboxError extends Error {
  abstract readonly code: string
}

/** Thrown while a handler is built, when an option, a route or a plugin is invalid. */
export class InvalidOptionError extends SignalboxError {
  override readonly name = 'InvalidOptionError'
  readonly code = 'INVALID_OPTION'
}

/**
 * Thrown when the platform sends an event that breaks the contract of its family. `problems` lists what is wrong and
 * where.
 */
export class InvalidEventError extends SignalboxError {
  override readonly name = 'InvalidEventError'
  readonly code = 'INVALID_EVENT'
  declare readonly family: string
  declare readonly problems: readonly Problem[]

  constructor(family: string, problems: readonly Problem[], options?: ErrorOptions) {
    super(`The ${family} event breaks the contract:\n${formatProblems(problems)}`, options)
    this.family = family
    this.problems = problems
  }
}

/** Thrown when a handler or route returns a value that the contract forbids. The value is not sent. */
export class InvalidResponseError extends SignalboxError {
  override readonly name = 'InvalidResponseError'
  readonly code = 'INVALID_RESPONSE'
  /** The route or function that returned the value, such as `PreSignUp_SignUp` or `GET /orders/{id}`. */
  declare readonly route: string
  declare readonly problems: readonly Problem[]

  constructor(route: string, problems: readonly Problem[], options?: ErrorOptions) {
    super(`What ${route} returned breaks the contract:\n${formatProblems(problems)}`, options)
    this.route = route
    this.problems = problems
  }
}

/** Thrown when no plugin of a handler recognizes the event. */
export class UnknownEventError extends SignalboxError {
  override readonly name = 'UnknownEventError'
  readonly code = 'UNKNOWN_EVENT'
}

/** Thrown when a route table has neither a route for the trigger source nor an `otherwise`. */
export class UnroutedError extends SignalboxError {
  override readonly name = 'UnroutedError'
  readonly code = 'UNROUTED'
  declare readonly source: string
  declare readonly routes: readonly string[]

  constructor(source: string, routes: readonly string[]) {
    const known = routes.length === 0 ? 'there are no routes' : `the routes are ${routes.join(', ')}`
    super(`No route for ${source}: ${known}. Add one, or an \`otherwise\`.`)
    this.source = source
    this.routes = routes
  }
}

/** Thrown when a route calls `deny(message)`. The platform passes the message to the caller unchanged. */
export class DeniedError extends SignalboxError {
  override readonly name = 'DeniedError'
  readonly code = 'DENIED'
}
