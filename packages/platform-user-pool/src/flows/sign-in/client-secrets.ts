import { isSame, type Vault } from '@signalbox/platform-runtime/secrets'
import type { ClientSettings, PoolSettings, StoredSecret } from '../../config/user-pool-settings.ts'

/** How many secrets a client can have at once, so that a new one can replace an old one while both are valid. */
export const mostSecrets = 2

/** Returns whether a client has to send a secret, even if none of its secrets can be decrypted. */
export function hasSecret({ secret, secrets }: Pick<ClientSettings, 'secret' | 'secrets'>): boolean {
  return secrets === undefined ? secret !== false : secrets.length > 0
}

/**
 * Returns the valid secrets of a client, the oldest first. Secrets that were encrypted with another key are left out. A
 * secret that the platform has made is derived, and is stored nowhere.
 */
export function clientSecrets(vault: Vault, pool: PoolSettings, client: ClientSettings): readonly string[] {
  if (client.secrets !== undefined)
    return client.secrets.flatMap(each => secretOf(vault, pool, client, each) ?? [])
  const { secret } = client
  if (typeof secret === 'object') return secret
  if (typeof secret === 'string') return [secret]
  return secret ? [derivedSecret(vault, pool, client)] : []
}

/** Returns a stored secret. Undefined if it was encrypted with another key. */
function secretOf(
  vault: Vault,
  pool: PoolSettings,
  client: Pick<ClientSettings, 'id'>,
  { id, isFirst, encrypted }: StoredSecret,
): string | undefined {
  if (encrypted !== undefined) return vault.decrypt(encrypted, place(pool, id))
  return derivedSecret(vault, pool, client, isFirst ? undefined : id)
}

/** Returns the secret that the platform makes for a client: its first one, or the one with an id. */
export function derivedSecret(
  vault: Vault,
  pool: Pick<PoolSettings, 'id'>,
  client: Pick<ClientSettings, 'id'>,
  id?: string,
): string {
  const name = id === undefined ? `${pool.id} ${client.id}` : `${pool.id} ${client.id} ${id}`
  return vault.derive(name, 'client secret', 26).toString('hex')
}

/** Encrypts a secret that an administrator has chosen. */
export function encryptedSecret(
  vault: Vault,
  pool: Pick<PoolSettings, 'id'>,
  id: string,
  secret: string,
): string {
  return vault.encrypt(secret, place(pool, id))
}

function place({ id: pool }: Pick<PoolSettings, 'id'>, id: string): string {
  return `client secret ${pool} ${id}`
}

/**
 * Returns whether one of the secrets is right. All of them are tried, each in constant time, so that the time does not
 * tell which one it was.
 */
export function isOneOf(secrets: readonly string[], isRight: (secret: string) => boolean): boolean {
  return secrets.map(isRight).includes(true)
}

/** Returns whether a client has sent one of its secrets. A client without secrets must send none. */
export function isClientSecret(
  vault: Vault,
  pool: PoolSettings,
  client: ClientSettings,
  sent: string | undefined,
): boolean {
  if (!hasSecret(client)) return sent === undefined
  return sent !== undefined && isOneOf(clientSecrets(vault, pool, client), secret => isSame(secret, sent))
}
