import { DeniedError } from '@signalbox/core'

/**
 * Refuses what the user wants to do. Works from anywhere in a route: it throws, and the platform shows
 * `<Trigger> failed with error <message>.` to the caller, so the message is for them.
 *
 * @throws DeniedError always
 */
export function deny(message: string): never {
  throw new DeniedError(message)
}
