import { SignalboxError } from '@signalbox/core'

/**
 * Gives a message up on purpose: it is reported as done, so the platform deletes it, its group goes on, and
 * `onDiscard` gets the reason. Call it inside a message handler; it works by throwing.
 */
export function discard(reason?: unknown): never {
  throw new DiscardError(reason)
}

/** What `discard` throws. */
export class DiscardError extends SignalboxError {
  override readonly name = 'DiscardError'
  readonly code = 'DISCARDED'
  readonly reason: unknown
  readonly #discarded = true

  constructor(reason: unknown) {
    super('The message was discarded.')
    this.reason = reason
  }

  /** Whether this was thrown by `discard`. Unlike `instanceof` it asks nothing of what was thrown: a Proxy may throw. */
  static is(thrown: unknown): thrown is DiscardError {
    return typeof thrown === 'object' && thrown !== null && #discarded in thrown
  }
}
