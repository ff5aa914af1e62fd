import { DeniedError } from '@signalbox/core'

/**
 * Refuses the user's operation, from anywhere in a route. It throws, and the platform shows the caller
 * `<Trigger> failed with error <message>.`
 *
 * @example
 * if (!request.userAttributes.email?.endsWith('@example.com')) deny('Staff addresses only')
 * @throws DeniedError always
 */
export function deny(message: string): never {
  throw new DeniedError(message)
}
