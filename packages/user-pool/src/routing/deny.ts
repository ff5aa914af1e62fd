import { DeniedError, InvalidOptionError } from '@signalbox/core'

/**
 * Refuses the user's operation, from anywhere in a route. It throws, and the platform shows the caller
 * `<Trigger> failed with error <message>.`
 *
 * @example
 * if (!request.userAttributes.email?.endsWith('@example.com')) deny('Staff addresses only')
 * @throws DeniedError; InvalidOptionError without a message, which refuses the operation, too
 */
export function deny(message: string): never {
  if (typeof message !== 'string' || message === '')
    throw new InvalidOptionError('deny() needs a message, which the platform shows the caller')
  throw new DeniedError(message)
}
