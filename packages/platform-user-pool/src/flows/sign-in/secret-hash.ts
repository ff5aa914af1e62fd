import { createHmac } from 'node:crypto'
import { isSame, type Vault } from '@signalbox/platform-runtime/secrets'
import type { ClientSettings, PoolSettings } from '../../config/user-pool-settings.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { clientSecrets, hasSecret, isOneOf } from './client-secrets.ts'

/**
 * Checks the hash that a client with a secret sends.
 * @param names the user names that the client may have hashed
 * @throws UserPoolError if the client has a secret, and the hash is missing or wrong
 */
export function refuseWrongSecretHash(
  vault: Vault,
  pool: PoolSettings,
  client: ClientSettings,
  names: readonly string[],
  hash: string | undefined,
): void {
  if (!hasSecret(client)) return
  if (hash === undefined)
    throw new UserPoolError(
      'NotAuthorizedException',
      `Client ${client.id} is configured with secret but SECRET_HASH was not received`,
    )
  const isRight = isOneOf(clientSecrets(vault, pool, client), secret =>
    isOneOf(names, name => {
      const expected = createHmac('sha256', secret).update(name).update(client.id).digest('base64')
      return isSame(expected, hash)
    }),
  )
  if (!isRight)
    throw new UserPoolError('NotAuthorizedException', `Unable to verify secret hash for client ${client.id}`)
}
