import { DeniedError, InvalidOptionError } from '@signalbox/core'

/**
 * Refuses the operation of the user. Call it anywhere in a route: it throws an error, and the caller gets the message
 * `<Trigger> failed with error <message>.`
 *
 * @example
 * if (!request.userAttributes.email?.toLowerCase().endsWith('@example.com')) deny('Staff addresses only')
 * @throws DeniedError, or InvalidOptionError when the message is missing. Both errors refuse the operation
 */
export function deny(message: string): never {
  if (typeof message !== 'string' || message === '')
    throw new InvalidOptionError('deny() needs a message, which the platform shows the caller')
  throw new DeniedError(message)
}
