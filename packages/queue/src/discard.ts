import { SignalboxError } from '@signalbox/core'

/**
 * Discards a message. It is reported as successful, so that the platform deletes it. Its group continues, and
 * `onDiscard` gets the reason. Call this function inside a message handler, because it throws an error.
 * @example
 * ```ts
 * import { discard, queue } from '@signalbox/queue'
 *
 * queue({
 *   onMessage({ attempt, body }) {
 *     if (attempt > 5) discard('too many attempts')
 *     console.log(body)
 *   },
 * })
 * ```
 */
export function discard(reason?: unknown): never {
  throw new DiscardError(reason)
}

/** The error that `discard` throws. */
export class DiscardError extends SignalboxError {
  override readonly name = 'DiscardError'
  readonly code = 'DISCARDED'
  declare readonly reason: unknown
  readonly #discarded = true

  constructor(reason: unknown) {
    super('The message was discarded.')
    this.reason = reason
  }

  /**
   * Returns whether `discard` threw this value. Unlike `instanceof`, it never throws, not even for a Proxy that throws.
   */
  static is(thrown: unknown): thrown is DiscardError {
    return typeof thrown === 'object' && thrown !== null && #discarded in thrown
  }
}
